import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { usePublishing } from '../../../api/publishing.js';
import { useAccount } from '../../../api/session.js';
import { Dialog, type CloseDialog } from '../../../components/dialog.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf, formatCount } from '../../../components/numbers.js';
import { loadPart } from '../../../load-part.js';
import { statusName, type DocumentListItem } from '../document-types.js';
import type { DocumentFilters } from '../list-query.js';
import {
  actionName,
  allMatching,
  batchSize,
  doStep,
  MOST_AT_ONCE,
  type BulkAction,
} from './bulk-actions.js';
import classes from './bulk.module.css';
import { runInSteps, type ItemResult } from './run-in-steps.js';

const TargetFolder = lazy(() => loadPart(() => import('../../folders/target-folder.js')));

interface BulkDialogProps {
  action: BulkAction;
  /** The documents, or filters that match them. */
  target: readonly DocumentListItem[] | DocumentFilters;
  count: number;
  /** Called when documents may have changed. */
  onDone?: () => void;
  onClose: CloseDialog;
}

const NOT_FINISHED = {
  title: 'Stop the bulk action?',
  sentence: "Some documents haven't been processed yet.",
  stay: 'Continue',
  leave: 'Stop',
};

interface Run {
  total: number | undefined;
  results: readonly ItemResult<DocumentListItem>[];
  isOver: boolean;
  error?: unknown;
}

/** Asks for confirmation, runs the action step by step, and shows the result for each document. */
export function BulkDialog({ action: asked, target, count, onDone, onClose }: BulkDialogProps) {
  const { id: accountId, api, plan } = useAccount();
  const queryClient = useQueryClient();
  const isPublication = asked.kind === 'move' && asked.to.to === 'published';
  const publishing = usePublishing({ enabled: isPublication });
  const [run, setRun] = useState<Run>();
  const [tag, setTag] = useState('');
  const [folder, setFolder] = useState<string | null>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const action: BulkAction =
    asked.kind === 'add-tag'
      ? { ...asked, tag: tag.trim() }
      : asked.kind === 'folder'
        ? { ...asked, to: folder }
        : isPublication && publishing.data?.enabled
          ? { kind: 'publish' }
          : asked;
  const name = actionName(action);
  const begin = async () => {
    const { signal } = (stop.current = new AbortController());
    setRun({ total: undefined, results: [], isOver: false });
    try {
      const items = target instanceof Array ? target : await allMatching(api, target, signal);
      const show = (results: Run['results'], isOver: boolean) => {
        setRun({ total: items.length, results, isOver });
      };
      show([], false);
      const results = await runInSteps({
        items,
        size: batchSize(plan),
        step: (some) => doStep(api, action, some),
        onProgress: (some) => {
          show(some, false);
        },
        signal,
      });
      show(results, true);
    } catch (error) {
      setRun({
        total: undefined,
        results: [],
        isOver: true,
        error: signal.aborted ? undefined : error,
      });
    }
    await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
  };
  return (
    <Dialog
      title={run?.isOver === true ? doneTitle(action, run) : name}
      isUnsaved={() => (run ? !run.isOver : tag.trim() !== '')}
      {...(run && { question: NOT_FINISHED })}
      onClose={(isLeaving) => {
        if (run) onDone?.();
        return onClose(isLeaving);
      }}
    >
      {(close) => (
        <Stack>
          {run ? (
            <RunReport run={run} />
          ) : (
            <>
              <Text size="sm">{sentenceOf(action, Math.min(count, MOST_AT_ONCE))}</Text>
              {count > MOST_AT_ONCE && (
                <Text size="sm">Only the first {formatCount(MOST_AT_ONCE)} are included.</Text>
              )}
              {asked.kind === 'folder' && (
                <Suspense fallback={null}>
                  <TargetFolder
                    documents={target instanceof Array ? target : undefined}
                    value={folder}
                    onChange={setFolder}
                  />
                </Suspense>
              )}
              {asked.kind === 'add-tag' && (
                <TextInput
                  label="Tag"
                  data-autofocus
                  value={tag}
                  onChange={({ currentTarget }) => {
                    setTag(currentTarget.value);
                  }}
                />
              )}
            </>
          )}
          <Group justify="flex-end">
            {run?.isOver !== true && (
              <Button
                variant="default"
                onClick={() => {
                  if (run) stop.current?.abort();
                  else close();
                }}
              >
                Cancel
              </Button>
            )}
            {!run && (
              <Button
                color={action.kind.startsWith('delete') ? 'red' : 'teal'}
                disabled={!isComplete(action) || (isPublication && publishing.isPending)}
                onClick={() => void begin()}
              >
                {name}
              </Button>
            )}
            {run?.isOver === true && <Button onClick={close}>Done</Button>}
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function isComplete(action: BulkAction): boolean {
  if (action.kind === 'add-tag') return action.tag !== '';
  return action.kind !== 'folder' || action.to !== undefined;
}

/** Returns the title after the run, such as "12 documents deleted". */
function doneTitle(action: BulkAction, { results }: Run): string {
  const done = results.filter(({ problem }) => problem === undefined).length;
  const verb = action.kind === 'move' ? MOVED[action.to.to] : DONE[action.kind];
  return `${countOf(done, 'document')} ${verb}`;
}

const DONE: Readonly<Record<Exclude<BulkAction['kind'], 'move'>, string>> = {
  delete: 'deleted',
  restore: 'restored',
  'delete-for-good': 'deleted permanently',
  publish: 'published',
  'add-tag': 'tagged',
  folder: 'moved',
};

const MOVED: Readonly<Record<DocumentListItem['status'], string>> = {
  draft: 'returned to draft',
  in_review: 'sent to review',
  published: 'published',
  archived: 'archived',
};

function sentenceOf(action: BulkAction, count: number): string {
  const documents = countOf(count, 'document');
  switch (action.kind) {
    case 'delete':
      return `${documents} will move to the trash. You can restore them for 30 days.`;
    case 'restore':
      return `${documents} will be restored.`;
    case 'delete-for-good':
      return `${documents} and all their versions will be deleted permanently. You can't undo this.`;
    case 'move':
      return `${documents} will change status: ${statusName(action.to.to)}.`;
    case 'publish':
      return `Readers will get the current version of ${documents}.`;
    case 'folder':
      return `${documents} will move to the folder that you choose.`;
    case 'add-tag':
      return `The tag will be added to ${documents}.`;
  }
}

/** Maximum number of results to list. Failures come first. */
const SHOWN_RESULTS = 1_000;

function RunReport({ run: { total, results, isOver, error } }: { run: Run }) {
  const failed = results.filter(({ problem }) => problem !== undefined);
  const done = results.filter(({ problem }) => problem === undefined);
  const left = (total ?? 0) - results.length;
  const summary = [
    `${formatCount(done.length)} done`,
    failed.length > 0 && `${formatCount(failed.length)} failed`,
    isOver && left > 0 && `${formatCount(left)} skipped`,
  ];
  return (
    <>
      {error !== undefined && <FailureAlert error={error} />}
      {!isOver && (
        <Progress
          value={total === undefined || total === 0 ? 0 : (100 * results.length) / total}
          aria-label="Progress"
        />
      )}
      <Text size="sm" role="status">
        {total === undefined && !isOver
          ? 'Finding matching documents…'
          : `${formatCount(results.length)} of ${formatCount(total ?? 0)}: ${summary.filter((part) => part !== false).join(', ')}.`}
      </Text>
      {isOver && results.length > 0 && (
        <ul className={classes.results} aria-label="Results" tabIndex={0}>
          {[...failed, ...done].slice(0, SHOWN_RESULTS).map(({ item, problem }) => (
            <li key={item.id} data-failed={problem !== undefined || undefined}>
              <span>{item.title}</span>
              <span>{problem ?? 'Done'}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
