import { Checkbox, Fieldset, Group, Stack, Textarea } from '@mantine/core';
import { STATUSES, TYPES } from '../documents/document-types.js';
import type { WebhookForm } from './webhook-form.js';

interface FilterFieldsProps {
  form: WebhookForm;
  onChange: (changes: Partial<WebhookForm>) => void;
  /** Returns the problems of fields whose names start with a prefix. */
  problemBelow: (field: string) => string | undefined;
  disabled: boolean;
}

/** The fields that a change can be about. */
const FIELDS = [
  ['title', 'Title'],
  ['type', 'Type'],
  ['content', 'Content'],
  ['metadata', 'Metadata'],
  ['status', 'Status'],
  ['aiSettings', 'AI settings'],
  ['externalId', 'External ID'],
] as const;

/** The filter of a webhook: which documents it reports. */
export function FilterFields({ form, onChange, problemBelow, disabled }: FilterFieldsProps) {
  return (
    <Fieldset legend="Filter documents" disabled={disabled}>
      <Stack gap={10}>
        <Checkbox.Group
          label="Types"
          description="Select none for all types. Matches the document before or after the change."
          value={form.types}
          error={problemBelow('filter.types')}
          onChange={(types) => {
            onChange({ types: TYPES.map(([type]) => type).filter((type) => types.includes(type)) });
          }}
        >
          <Group mt="xs">
            {TYPES.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <Textarea
          label="Tags"
          description="One per line. Leave empty for all."
          rows={2}
          value={form.tags}
          error={problemBelow('filter.tags')}
          onChange={({ currentTarget }) => {
            onChange({ tags: currentTarget.value });
          }}
        />
        <Textarea
          label="Projects"
          description="One per line. Leave empty for all."
          rows={2}
          value={form.projects}
          error={problemBelow('filter.projects')}
          onChange={({ currentTarget }) => {
            onChange({ projects: currentTarget.value });
          }}
        />
        <Checkbox.Group
          label="Statuses"
          description="Select none for all statuses."
          value={form.statuses}
          error={problemBelow('filter.statuses')}
          onChange={(statuses) => {
            const known = STATUSES.map(([status]) => status);
            onChange({ statuses: known.filter((status) => statuses.includes(status)) });
          }}
        >
          <Group mt="xs">
            {STATUSES.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <Textarea
          label="Metadata values"
          description="One per line, such as client.tier: gold. Repeat a name to allow several values. Leave empty for all."
          rows={2}
          value={form.metadata}
          error={problemBelow('filter.metadata')}
          onChange={({ currentTarget }) => {
            onChange({ metadata: currentTarget.value });
          }}
        />
        <Checkbox.Group
          label="Changed fields"
          description="Updates are sent only if one of these changed. New and deleted documents are always sent. Select none for all changes."
          value={form.changedFields}
          error={problemBelow('filter.changes')}
          onChange={(changedFields) => {
            onChange({ changedFields });
          }}
        >
          <Group mt="xs">
            {FIELDS.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        <Textarea
          label="Changed metadata"
          description="Names in metadata that count as changed fields, one per line, such as client.tier."
          rows={2}
          value={form.changedPaths}
          onChange={({ currentTarget }) => {
            onChange({ changedPaths: currentTarget.value });
          }}
        />
      </Stack>
    </Fieldset>
  );
}
