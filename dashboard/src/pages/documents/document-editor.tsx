import { Button, Group, Menu, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone, showFailure } from '../../components/messages.js';
import { Page } from '../../components/page.js';
import { RowMenu } from '../../components/row-menu.js';
import { useSearchState } from '../../search-state.js';
import classes from './document-page.module.css';
import { MOVES, type Document, type StatusMove } from './document-types.js';
import type { EditorHandle, MarkedRange } from './editor/code-mirror.js';
import { ContentEditor } from './editor/content-editor.js';
import { MarkdownPreview } from './editor/markdown-preview.js';
import { useAutosave, type FoundDraft } from './editor/use-autosave.js';
import { ExportMenu } from './export-menu.js';
import { SaveFailure, SaveState } from './save-state.js';
import { StatusBadge } from './status-badge.js';
import { useAllowance } from '../../components/use-allowance.js';
import { loadPart } from '../../load-part.js';

const conflictDialog = () => loadPart(() => import('./editor/conflict-dialog.js'));

const ConflictDialog = lazy(conflictDialog);
const DeleteDocument = lazy(() => loadPart(() => import('./delete-document.js')));
const DetailsPanel = lazy(() => loadPart(() => import('./details-panel.js')));
const AnalysisPanel = lazy(() => loadPart(() => import('./analysis/analysis-panel.js')));
const SuggestionsPanel = lazy(() => loadPart(() => import('./analysis/suggestions-panel.js')));

/** When the dialog of a conflict is loaded, in ms after the page: it must be there when the service is not. */
const LOAD_CONFLICT_AFTER = 3_000;

interface DocumentEditorProps {
  /** The newest version that was read. */
  document: Document;
  /** What this browser has of it and the service has not, the newest first. */
  drafts: readonly FoundDraft[];
  /** Why the document could not be read again. */
  loadError: Error | null;
}

/** A document that is being read and written. */
export function DocumentEditor({ document, drafts, loadError }: DocumentEditorProps) {
  const { may } = useAccount();
  const [search] = useSearchState();
  const editor = useRef<EditorHandle>(null);
  const moves = useRef<HTMLDivElement>(null);
  const { autosave, current, texts, state, edit } = useAutosave({ document, drafts, editor });
  const [marks, setMarks] = useState<readonly MarkedRange[]>([]);
  const [picked, setPicked] = useState<string>();
  const readOnly = !may('documents:write');
  useEffect(() => {
    const timer = setTimeout(() => void conflictDialog(), LOAD_CONFLICT_AFTER);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  const save = useCallback(() => autosave.save(), [autosave]);
  useHotkeys(
    [
      ['mod+S', () => void save()],
      [
        'mod+Enter',
        () => {
          void save();
          moves.current?.querySelector<HTMLElement>('button:last-child')?.focus();
        },
      ],
    ],
    [],
    true,
  );
  const { preview = 'off', panel } = search;
  const text = { title: texts.title.trim() === '' ? 'Untitled' : texts.title };
  const panelProps = { document: current, autosave, editor, onMarks: setMarks, picked };
  return (
    <Page
      title={text.title}
      hiddenTitle
      sentence={
        <>
          <AppLink to="/{-$accountId}/documents">Documents</AppLink>{' '}
          <StatusBadge status={current.status} />{' '}
          {readOnly ? 'You may read it only.' : <SaveState status={state.status} />}
        </>
      }
      actions={<DocumentActions document={current} autosave={autosave} movesRef={moves} />}
    >
      <SaveFailure state={state} onSave={() => void save()} />
      {loadError && !asFailure(loadError).isAway && <FailureAlert error={loadError} />}
      <div className={classes.columns} data-panel={panel !== undefined || undefined}>
        <div className={classes.main}>
          <TextInput
            label="Title"
            value={texts.title}
            readOnly={readOnly}
            maxLength={500}
            size="md"
            error={state.failure?.problemOf('title')}
            onChange={({ currentTarget }) => {
              edit({ title: currentTarget.value });
            }}
          />
          <ViewBar preview={preview} panel={panel} />
          <div className={classes.text} data-preview={preview}>
            <div className={classes.editor}>
              <ContentEditor
                ref={editor}
                initialText={texts.content}
                readOnly={readOnly}
                placeholder="Write, or drop a file"
                marks={marks}
                onPick={setPicked}
                onChange={(content) => {
                  edit({ content });
                }}
              />
            </div>
            {preview !== 'off' && <MarkdownPreview markdown={texts.content} />}
          </div>
        </div>
        <Suspense fallback={null}>
          {panel === 'details' && <DetailsPanel document={current} autosave={autosave} />}
          {panel === 'analysis' && <AnalysisPanel {...panelProps} />}
          {panel === 'suggestions' && <SuggestionsPanel {...panelProps} />}
        </Suspense>
      </div>
      <Suspense fallback={null}>
        {state.conflict && (
          <ConflictDialog
            conflict={state.conflict}
            onResolve={(chosen, options) => void autosave.resolve(chosen, options)}
            onClose={() => {
              autosave.postpone();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

const PREVIEWS = [
  ['off', 'Editor'],
  ['side', 'Side by side'],
  ['only', 'Preview'],
] as const;

const PANELS = [
  ['details', 'Details'],
  ['analysis', 'Analysis'],
  ['suggestions', 'Suggestions'],
] as const;

/** How the text is shown, and which panel beside it is open. */
function ViewBar({ preview, panel }: { preview: string; panel: string | undefined }) {
  const [, change] = useSearchState();
  return (
    <Group justify="space-between" gap="xs">
      <Group gap={4} role="group" aria-label="View">
        {PREVIEWS.map(([value, name]) => (
          <Button
            key={value}
            size="xs"
            variant={preview === value ? 'light' : 'subtle'}
            aria-pressed={preview === value}
            onClick={() => {
              change({ preview: value === 'off' ? undefined : value }, { replace: true });
            }}
          >
            {name}
          </Button>
        ))}
      </Group>
      <Group gap={4} role="group" aria-label="Panel">
        {PANELS.map(([value, name]) => (
          <Button
            key={value}
            size="xs"
            variant={panel === value ? 'light' : 'subtle'}
            aria-expanded={panel === value}
            onClick={() => {
              change({ panel: panel === value ? undefined : value });
            }}
          >
            {name}
          </Button>
        ))}
      </Group>
    </Group>
  );
}

interface DocumentActionsProps {
  document: Document;
  autosave: ReturnType<typeof useAutosave>['autosave'];
  movesRef: React.Ref<HTMLDivElement>;
}

function DocumentActions({ document, autosave, movesRef }: DocumentActionsProps) {
  const { api } = useAccount();
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const [deleting, setDeleting] = useState(false);
  const { id, title } = document;
  const move = useMutation({
    mutationFn: ({ to }: StatusMove) =>
      autosave.change(() =>
        dataOf(api.PATCH('/v1/documents/{id}', { params: { path: { id } }, body: { status: to } })),
      ),
    onError: showFailure,
  });
  const duplicate = useMutation({
    mutationFn: async () => {
      await autosave.save();
      const { type, content, metadata, aiSettings } = document;
      const texts = { ...autosave.yours, content: autosave.yours.content || content };
      const body = { type, metadata, aiSettings, ...texts, title: copyName(texts.title || title) };
      return dataOf(api.POST('/v1/documents', { body }));
    },
    onSuccess: (copy) => {
      showDone(`${copy.title} is here. It is a document of its own.`);
      void navigate({
        to: '/{-$accountId}/documents/$documentId',
        params: { documentId: copy.id } as never,
      });
    },
    onError: showFailure,
  });
  const openHistory = () => {
    void navigate({
      to: '/{-$accountId}/documents/$documentId/history',
      params: ((previous: object) => ({ ...previous, documentId: id })) as never,
    });
  };
  return (
    <>
      <Button variant="default" onClick={openHistory}>
        History
      </Button>
      <ExportMenu id={id} title={title} before={() => autosave.save()} />
      <div ref={movesRef} className={classes.moves}>
        {MOVES[document.status].map((one) => (
          <Button
            key={one.to}
            variant={one.to === 'published' ? 'filled' : 'default'}
            loading={move.isPending && move.variables.to === one.to}
            onClick={() => {
              move.mutate(one);
            }}
            {...allowance}
          >
            {one.name}
          </Button>
        ))}
      </div>
      <Button
        variant="default"
        onClick={() => {
          setDeleting(true);
        }}
        {...allowance}
      >
        Delete
      </Button>
      <RowMenu name={title}>
        <Menu.Item
          onClick={() => {
            duplicate.mutate();
          }}
          {...allowance}
        >
          Duplicate
        </Menu.Item>
      </RowMenu>
      <Suspense fallback={null}>
        {deleting && (
          <DeleteDocument
            document={document}
            onDeleted={() => {
              void navigate({ to: '/{-$accountId}/documents' });
            }}
            onClose={() => {
              setDeleting(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

/** At most as long as a title may be. */
function copyName(title: string): string {
  return `${title.slice(0, 490)} (copy)`;
}
