import { Alert, Button, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { dataOf } from '../../../api/client.js';
import { asFailure } from '../../../api/failure.js';
import { useAccount } from '../../../api/session.js';
import type { components } from '../../../api/v1-schema.js';
import { ButtonLink } from '../../../components/button-link.js';
import { FormDialog, type CloseDialog } from '../../../components/dialog.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { analyze } from '../check/use-analysis.js';
import type { Document } from '../document-types.js';
import classes from './document-publishing.module.css';
import type { Override } from './publish.js';
import { problemWords, type PublicationProblem } from './refusal.js';

const MAX_REASON_CHARACTERS = 500;
const SMALL = { size: 'compact-sm', variant: 'default' } as const;

/** Where a problem is resolved: a panel of the document page, and the label of the link to it. */
const LINKS: Partial<Record<PublicationProblem['check'], readonly [string, string]>> = {
  errors: ['check', 'Show errors'],
  score: ['check', 'Open Check'],
  open_suggestions: ['check', 'Show suggestions'],
  unchecked_language: ['details', 'Open Details'],
};

interface PublishDialogProps {
  title: string;
  submit: string;
  document: Document;
  /** Default: the current text. */
  version?: number | undefined;
  /** Called before the version is checked. */
  save?: () => Promise<void>;
  publish: (override: Override | undefined) => Promise<unknown>;
  onDone: () => void | Promise<void>;
  onClose: CloseDialog;
  children: ReactNode;
}

/** Shows why the rules of the account refuse a version, and publishes it. */
export function PublishDialog(props: PublishDialogProps) {
  const { title, submit, document, version, save, publish, onDone, onClose, children } = props;
  const { id } = document;
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('documents:write');
  const [reason, setReason] = useState('');
  const checks = useQuery({
    queryKey: [accountId, 'documents', 'publication-checks', id, version],
    queryFn: async () => {
      await save?.();
      const params = { path: { id }, query: { version } };
      return dataOf(api.GET('/v1/documents/{id}/publication-checks', { params }));
    },
    gcTime: 0,
  });
  const isOverride = checks.data?.canOverride === true && reason.trim() !== '';
  const action = useMutation({
    mutationFn: () => publish(isOverride ? { reason: reason.trim() } : undefined),
    onSuccess: onDone,
    onError: (error) => {
      if (asFailure(error).isRefusedByRules) void checks.refetch();
    },
  });
  const isRefused = action.error !== null && asFailure(action.error).isRefusedByRules;
  return (
    <FormDialog
      title={title}
      submit={isOverride ? 'Publish anyway' : submit}
      submission={{ isPending: action.isPending, error: isRefused ? null : action.error }}
      whyNot={allowance.title}
      isUnsaved={() => reason.trim() !== ''}
      onSubmit={() => {
        action.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">{children}</Text>
      <Problems
        checks={checks}
        isRefused={isRefused}
        documentId={version === undefined || version === document.version ? id : undefined}
      />
      {checks.data?.canOverride && (
        <Textarea
          label="Reason to publish anyway"
          description="The audit log keeps it, with the problems."
          autosize
          minRows={2}
          maxLength={MAX_REASON_CHARACTERS}
          value={reason}
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value);
          }}
        />
      )}
    </FormDialog>
  );
}

interface ProblemsProps {
  checks: UseQueryResult<components['schemas']['PublicationChecks']>;
  /** True after an attempt to publish. */
  isRefused: boolean;
  /** Undefined for an older version, whose text cannot be changed. */
  documentId: string | undefined;
}

function Problems({ checks, isRefused, documentId }: ProblemsProps) {
  if (checks.error) {
    return <FailureAlert error={checks.error} onRetry={() => void checks.refetch()} />;
  }
  if (!checks.data) return <LoadingLines rows={2} />;
  const { problems } = checks.data;
  if (problems.length === 0) return null;
  const title = `${isRefused ? 'Not published: resolve' : 'Resolve'} ${countOf(problems.length, 'problem')} first`;
  return (
    <Alert role="alert" color="orange" title={title}>
      <ul className={classes.problems}>
        {problems.map((problem) => (
          <li key={problem.check}>
            {problemWords(problem)}
            {documentId !== undefined && (
              <Resolution
                documentId={documentId}
                check={problem.check}
                onChecked={() => checks.refetch()}
              />
            )}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

interface ResolutionProps {
  documentId: string;
  check: PublicationProblem['check'];
  onChecked: () => Promise<unknown>;
}

/** Leads to what resolves a problem of the current text. */
function Resolution({ documentId, check, onChecked }: ResolutionProps) {
  const { api } = useAccount();
  const allowance = useAllowance('documents:analyze');
  const analysis = useMutation({
    mutationFn: () => analyze(api, documentId).then(onChecked),
  });
  const [panel, label] = LINKS[check] ?? [];
  if (panel !== undefined) {
    return (
      <ButtonLink
        {...SMALL}
        to="/{-$accountId}/documents/$documentId"
        params={((previous: object) => ({ ...previous, documentId })) as never}
        search={{ panel } as never}
      >
        {label}
      </ButtonLink>
    );
  }
  return (
    <>
      <Button
        {...SMALL}
        loading={analysis.isPending}
        onClick={() => {
          analysis.mutate();
        }}
        {...allowance}
      >
        Check now
      </Button>
      {analysis.error && <FailureAlert error={analysis.error} />}
    </>
  );
}
