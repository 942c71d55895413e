import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useEffect } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { Icon } from '../../components/icons.js';
import { formatCount } from '../../components/numbers.js';
import { Time } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { TYPES, type Document, type DocumentType } from './document-types.js';
import classes from './details-panel.module.css';
import type { DocumentSession, SessionView } from './editor/document-session.js';
import type { MetadataRow } from './metadata-form.js';
import { Panel } from './panel.js';
import { TagsField } from './tags-field.js';

interface DetailsPanelProps {
  session: DocumentSession;
  view: SessionView;
}

/** Edits all fields of a document except its text. They are saved automatically, too. */
export default function DetailsPanel({ session, view }: DetailsPanelProps) {
  const { document } = view;
  // Saves pending changes when the panel closes.
  useEffect(
    () => () => {
      session.autosave.flush();
    },
    [session],
  );
  return (
    <Panel title="Details">
      <Stack>
        <DetailsForm session={session} view={view} />
        {document && (
          <section className={classes.detailsPart} aria-label="About this document">
            <h3 className={classes.detailsTitle}>About this document</h3>
            <DocumentFacts document={document} />
          </section>
        )}
      </Stack>
    </Panel>
  );
}

function DocumentFacts({ document }: { document: Document }) {
  const { id, templateId, version, createdAt, createdBy, updatedAt, updatedBy, wordCount } =
    document;
  return (
    <Facts
      of={[
        ['ID', <Copyable key="id" name="ID" text={id} />],
        ['Version', formatCount(version)],
        ['Words', formatCount(wordCount)],
        [
          'Template',
          templateId && (
            <AppLink
              to="/{-$accountId}/templates/$templateId"
              params={(previous: object) => ({ ...previous, templateId })}
            >
              <TemplateName id={templateId} />
            </AppLink>
          ),
        ],
        ['Created', <Time key="created" at={createdAt} format="day" />],
        ['Created by', createdBy.name],
        [
          'Last edited',
          <Fragment key="updated">
            <Time at={updatedAt} /> by {updatedBy.name}
          </Fragment>,
        ],
      ]}
    />
  );
}

function TemplateName({ id }: { id: string }) {
  const { id: accountId, api, may } = useAccount();
  const template = useQuery({
    queryKey: [accountId, 'templates', 'name', id],
    queryFn: () => dataOf(api.GET('/v1/templates/{id}', { params: { path: { id } } })),
    enabled: may('templates:read'),
    staleTime: 60_000,
  });
  return template.data?.name ?? id;
}

function DetailsForm({ session, view }: DetailsPanelProps) {
  const { details, state } = view;
  const allowance = useAllowance('documents:write');
  const { suggesting } = view;
  // A suggestion can change the metadata only.
  const isFixed = allowance.disabled === true || suggesting !== undefined;
  const readOnly = allowance.disabled === true && suggesting === undefined;
  const problem = state.status === 'Not saved' ? session.detailsProblem : undefined;
  return (
    <Stack
      gap="sm"
      onBlur={() => {
        session.autosave.flush();
      }}
    >
      <NativeSelect
        label="Type"
        data={TYPES.map(([value, label]) => ({ value, label }))}
        value={details.type}
        disabled={isFixed}
        onChange={({ currentTarget }) => {
          session.editDetails({ type: currentTarget.value as DocumentType });
        }}
      />
      <TagsField
        tags={details.tags}
        typed={details.typedTags}
        readOnly={readOnly}
        onChange={(changes) => {
          session.editDetails(changes);
        }}
      />
      <TextInput
        label="Language"
        description="A code or an English name. Leave empty to detect the language."
        value={details.language}
        readOnly={isFixed}
        onChange={({ currentTarget }) => {
          session.editDetails({ language: currentTarget.value });
        }}
      />
      <Checkbox
        label="Suggest edits after each change"
        checked={details.autoEnhance}
        disabled={isFixed}
        onChange={({ currentTarget }) => {
          session.editDetails({ autoEnhance: currentTarget.checked });
        }}
      />
      <MetadataRows
        rows={details.rows}
        allowance={suggesting ? {} : allowance}
        onChange={(rows) => {
          session.editDetails({ rows });
        }}
      />
      {problem !== undefined && (
        <Text size="sm" c="red" role="alert">
          Not saved: {problem}
        </Text>
      )}
    </Stack>
  );
}

interface MetadataRowsProps {
  rows: readonly MetadataRow[];
  allowance: ReturnType<typeof useAllowance>;
  onChange: (rows: MetadataRow[]) => void;
}

function MetadataRows({ rows, allowance, onChange }: MetadataRowsProps) {
  const readOnly = allowance.disabled === true;
  const set = (index: number, changes: Partial<MetadataRow>) => {
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  };
  return (
    <section className={classes.detailsPart} role="group" aria-label="Metadata">
      <h3 className={classes.detailsTitle}>Metadata</h3>
      {rows.length === 0 ? (
        <p className={classes.detailsHint}>Keys and values for your apps, such as region: eu.</p>
      ) : (
        <div className={classes.metadataHead} aria-hidden="true">
          <span>Key</span>
          <span>Value</span>
        </div>
      )}
      <Stack gap={6}>
        {rows.map(({ key, value }, index) => (
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              size="xs"
              aria-label={`Key ${String(index + 1)}`}
              value={key}
              readOnly={readOnly}
              onChange={({ currentTarget }) => {
                set(index, { key: currentTarget.value });
              }}
            />
            <TextInput
              size="xs"
              aria-label={`Value of ${key === '' ? `key ${String(index + 1)}` : key}`}
              value={value}
              readOnly={readOnly}
              onChange={({ currentTarget }) => {
                set(index, { value: currentTarget.value });
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${key === '' ? `key ${String(index + 1)}` : key}`}
              onClick={() => {
                onChange(rows.filter((_, at) => at !== index));
              }}
              {...allowance}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              onChange([...rows, { key: '', value: '' }]);
            }}
            {...allowance}
          >
            Add metadata
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
