import { Checkbox, Fieldset, Group, Stack, Textarea } from '@mantine/core';
import { TYPES } from '../documents/document-types.js';
import type { WebhookForm } from './webhook-form.js';

interface FilterFieldsProps {
  form: WebhookForm;
  onChange: (changes: Partial<WebhookForm>) => void;
  /** Returns the problems of fields whose names start with a prefix. */
  problemBelow: (field: string) => string | undefined;
  disabled: boolean;
}

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
      </Stack>
    </Fieldset>
  );
}
