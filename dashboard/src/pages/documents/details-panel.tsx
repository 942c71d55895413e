import { ActionIcon, Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Facts } from '../../components/facts.js';
import { Icon } from '../../components/icons.js';
import { showDone } from '../../components/messages.js';
import { formatCount } from '../../components/numbers.js';
import { Time } from '../../components/time.js';
import { tagsOf, TYPES, type Document, type DocumentType } from './document-types.js';
import type { Autosave } from './editor/autosave.js';
import { metadataPatch, metadataRows, type MetadataRow } from './metadata-form.js';
import { Panel } from './panel.js';
import { TagsField, withTyped } from './tags-field.js';
import { useAllowance } from '../../components/use-allowance.js';

interface DetailsPanelProps {
  document: Document;
  autosave: Autosave<Document>;
}

interface Details {
  type: DocumentType;
  tags: string[];
  typedTags: string;
  rows: MetadataRow[];
  language: string;
  autoEnhance: boolean;
}

function detailsOf(document: Document): Details {
  const { type, metadata, aiSettings } = document;
  return {
    type,
    tags: tagsOf(document),
    typedTags: '',
    rows: metadataRows(metadata),
    language: typeof aiSettings.language === 'string' ? aiSettings.language : '',
    autoEnhance: aiSettings.autoEnhance === true,
  };
}

/** What changes the document into what the form says. */
function patchOf(document: Document, details: Details) {
  const { type, tags, typedTags, rows, language, autoEnhance } = details;
  const before = detailsOf(document);
  const metadata = metadataPatch(document.metadata, rows, withTyped(tags, typedTags));
  const aiSettings = {
    ...(language !== before.language && { language: language === '' ? null : language }),
    ...(autoEnhance !== before.autoEnhance && { autoEnhance }),
  };
  return {
    ...(type !== before.type && { type }),
    ...(metadata && { metadata }),
    ...(Object.keys(aiSettings).length > 0 && { aiSettings }),
  };
}

/** All of a document but its text. */
export default function DetailsPanel({ document, autosave }: DetailsPanelProps) {
  const { id, templateId, version, createdAt, updatedAt, createdBy, wordCount } = document;
  return (
    <Panel title="Details">
      <Stack>
        <DetailsForm document={document} autosave={autosave} />
        <Facts
          of={[
            ['Id', id],
            ['Version', formatCount(version)],
            ['Words', formatCount(wordCount)],
            [
              'Template',
              templateId && (
                <AppLink
                  to="/{-$accountId}/templates/$templateId"
                  params={(previous: object) => ({ ...previous, templateId })}
                >
                  {templateId}
                </AppLink>
              ),
            ],
            ['Created', <Time key="created" at={createdAt} format="exact" />],
            ['By', createdBy.name],
            ['Changed', <Time key="updated" at={updatedAt} format="exact" />],
          ]}
        />
      </Stack>
    </Panel>
  );
}

function DetailsForm({ document, autosave }: DetailsPanelProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('documents:write');
  const [edited, setEdited] = useState<Details>();
  const details = edited ?? detailsOf(document);
  const readOnly = allowance.disabled === true;
  const change = (changes: Partial<Details>) => {
    setEdited({ ...details, ...changes });
  };
  const patch = patchOf(document, details);
  const saving = useMutation({
    mutationFn: () =>
      autosave.change(() =>
        dataOf(
          api.PATCH('/v1/documents/{id}', { params: { path: { id: document.id } }, body: patch }),
        ),
      ),
    onSuccess: async () => {
      setEdited(undefined);
      showDone('The details are saved.');
      await queryClient.invalidateQueries({ queryKey: [accountId, 'documents', 'list'] });
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          label="Type"
          data={TYPES.map(([value, label]) => ({ value, label }))}
          value={details.type}
          disabled={readOnly}
          onChange={({ currentTarget }) => {
            change({ type: currentTarget.value as DocumentType });
          }}
        />
        <TagsField
          tags={details.tags}
          typed={details.typedTags}
          readOnly={readOnly}
          onChange={change}
        />
        <MetadataRows
          rows={details.rows}
          readOnly={readOnly}
          onChange={(rows) => {
            change({ rows });
          }}
        />
        <TextInput
          label="Language"
          description="A code or an English name. Empty: it is detected."
          value={details.language}
          readOnly={readOnly}
          onChange={({ currentTarget }) => {
            change({ language: currentTarget.value });
          }}
        />
        <Checkbox
          label="Propose suggestions after each change"
          checked={details.autoEnhance}
          disabled={readOnly}
          onChange={({ currentTarget }) => {
            change({ autoEnhance: currentTarget.checked });
          }}
        />
        {saving.error && <FailureAlert error={saving.error} />}
        {!readOnly && (
          <Group>
            <Button
              type="submit"
              size="xs"
              loading={saving.isPending}
              disabled={Object.keys(patch).length === 0}
            >
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface MetadataRowsProps {
  rows: readonly MetadataRow[];
  readOnly: boolean;
  onChange: (rows: MetadataRow[]) => void;
}

function MetadataRows({ rows, readOnly, onChange }: MetadataRowsProps) {
  const set = (index: number, changes: Partial<MetadataRow>) => {
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changes } : row)));
  };
  return (
    <Stack gap={6} role="group" aria-label="Metadata">
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
          {!readOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${key === '' ? `key ${String(index + 1)}` : key}`}
              onClick={() => {
                onChange(rows.filter((_, at) => at !== index));
              }}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!readOnly && (
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              onChange([...rows, { key: '', value: '' }]);
            }}
          >
            Add metadata
          </Button>
        </Group>
      )}
    </Stack>
  );
}
