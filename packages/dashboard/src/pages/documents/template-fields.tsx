import { Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FailureAlert } from '../../components/failure-alert.js';
import classes from './document-page.module.css';
import { ContentEditor } from './editor/content-editor.js';

/** Pause after a keystroke before the preview is loaded, in ms. */
const TYPING_PAUSE = 300;

interface TemplateFieldsProps {
  template: components['schemas']['Template'];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

/** A field per variable of a template, next to a preview of the document. */
export function TemplateFields({ template, values, onChange }: TemplateFieldsProps) {
  const { id: accountId, api } = useAccount();
  const [typed] = useDebouncedValue(values, TYPING_PAUSE);
  const preview = useQuery({
    queryKey: [accountId, 'templates', 'preview', template.id, template.version, typed],
    queryFn: () =>
      dataOf(
        api.POST('/v1/templates/{id}/preview', {
          params: { path: { id: template.id } },
          body: { templateVariables: typed },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const missing = preview.data?.missing ?? [];
  return (
    <div className={classes.template}>
      <Stack gap="sm" role="group" aria-label="Variables">
        {template.variables.length === 0 && (
          <Text size="sm" c="dimmed">
            This template has no variables.
          </Text>
        )}
        {template.variables.map(({ name, required, default: filling, description }) => (
          <TextInput
            key={name}
            label={name}
            required={required}
            description={description}
            placeholder={filling ?? ''}
            value={values[name] ?? ''}
            onChange={({ currentTarget }) => {
              const others = Object.entries(values).filter(([one]) => one !== name);
              const { value } = currentTarget;
              onChange(Object.fromEntries(value === '' ? others : [...others, [name, value]]));
            }}
          />
        ))}
      </Stack>
      <Stack gap="sm">
        {preview.error && (
          <FailureAlert error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        {missing.length > 0 && (
          <Text size="sm" role="status">
            Missing values: {missing.join(', ')}
          </Text>
        )}
        {preview.data && (
          <>
            <Text fw={600}>{preview.data.title}</Text>
            <section aria-label="Preview">
              <ContentEditor label="Preview" text={preview.data.content} size="text" readOnly />
            </section>
          </>
        )}
      </Stack>
    </div>
  );
}
