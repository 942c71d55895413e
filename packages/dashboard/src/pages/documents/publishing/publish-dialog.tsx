import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
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
  children?: ReactNode;
}

/** Shows why the rules of the account refuse a version, and publishes it. */
export function PublishDialog(props: PublishDialogProps) {
  const { title, submit, document, version, save, publish, onDone, onClose, children } = props;
  const { id } = document;
  const { id: accountId, api } = useAccount();
  const allowance = useAllowance('documents:write');
  const [reason, setReason] = useState<string>();
  const checks = useQuery({
    queryKey: [accountId, 'documents', 'publication-checks', id, version],
    queryFn: async () => {
      await save?.();
      const params = { path: { id }, query: { version } };
      return dataOf(api.GET('/v1/documents/{id}/publication-checks', { params }));
    },
    gcTime: 0,
  });
  const { problems = [], canOverride = false } = checks.data ?? {};
  const override = canOverride && reason !== undefined ? { reason: reason.trim() } : undefined;
  const action = useMutation({
    mutationFn: () => publish(override),
    onSuccess: onDone,
    onError: (error) => {
      if (asFailure(error).isRefusedByRules) void checks.refetch();
    },
  });
  const isRefused = action.error !== null && asFailure(action.error).isRefusedByRules;
  return (
    <FormDialog
      title={title}
      submit={override ? 'Publish anyway' : submit}
      submission={{ isPending: action.isPending, error: isRefused ? null : action.error }}
      disabled={override?.reason === ''}
      whyNot={allowance.title}
      onSubmit={() => {
        action.mutate();
      }}
      onClose={onClose}
    >
      {children !== undefined && <Text size="sm">{children}</Text>}
      <Findings
        // Announces a second refusal.
        key={action.submittedAt}
        checks={checks}
        isRefused={isRefused}
        documentId={version === undefined || version === document.version ? id : undefined}
        none={children === undefined && 'No problems found. You can publish this version.'}
      />
      {canOverride && <OverrideField reason={reason} onChange={setReason} />}
    </FormDialog>
  );
}

interface FindingsProps {
  checks: UseQueryResult<components['schemas']['PublicationChecks']>;
  /** True after an attempt to publish. */
  isRefused: boolean;
  /** Undefined for an older version, whose text cannot be changed. */
  documentId: string | undefined;
  /** Shown if there are no problems. */
  none: ReactNode;
}

function Findings({ checks, isRefused, documentId, none }: FindingsProps) {
  if (checks.error) {
    return <FailureAlert error={checks.error} onRetry={() => void checks.refetch()} />;
  }
  if (!checks.data) return <LoadingLines rows={2} />;
  const { problems } = checks.data;
  if (problems.length === 0) return none && <Text size="sm">{none}</Text>;
  const beginning = isRefused ? 'Not published: resolve' : 'Resolve';
  return (
    <Alert
      role="alert"
      color="orange"
      title={`${beginning} ${countOf(problems.length, 'problem')} first`}
    >
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

interface OverrideFieldProps {
  /** Undefined until the person wants to publish despite the problems. */
  reason: string | undefined;
  onChange: (reason: string) => void;
}

function OverrideField({ reason, onChange }: OverrideFieldProps) {
  if (reason === undefined) {
    return (
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            onChange('');
          }}
        >
          Publish anyway…
        </Button>
      </Group>
    );
  }
  return (
    <Textarea
      label="Reason"
      description="Why readers get this version despite its problems. The audit log keeps it."
      autoFocus
      autosize
      minRows={2}
      maxLength={MAX_REASON_CHARACTERS}
      value={reason}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
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
    mutationFn: async () => {
      await analyze(api, documentId);
      await onChecked();
    },
  });
  const [panel, label] = LINKS[check] ?? [];
  if (panel !== undefined) {
    return (
      <ButtonLink
        size="compact-sm"
        variant="default"
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
        size="compact-sm"
        variant="default"
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
