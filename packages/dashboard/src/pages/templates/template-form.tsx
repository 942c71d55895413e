import {
  Alert,
  Button,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AskBeforeLeaving } from '../../components/ask-before-leaving.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import { Section } from '../../components/page.js';
import { TYPES, versionTag, type DocumentType } from '../documents/document-types.js';
import { ContentEditor } from '../documents/editor/content-editor.js';
import classes from './template.module.css';
import { VariableRows } from './variable-rows.js';

type Template = components['schemas']['Template'];
type TemplateVariable = components['schemas']['TemplateVariable'];

interface Written {
  name: string;
  description: string;
  type: DocumentType;
  title: string;
  content: string;
  variables: TemplateVariable[];
}

function writtenOf({ name, description, type, title, content, variables }: Template): Written {
  return { name, type, content, variables, description: description ?? '', title: title ?? '' };
}

interface TemplateFormProps {
  template: Template;
  readOnly: boolean;
  /** Resets the form to the latest version of the template. */
  onReload: () => void;
}

/** Edits a template. It is saved with a button, because nobody can use half a template. */
export function TemplateForm({ template, readOnly, onReload }: TemplateFormProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('templates:write');
  const [base, setBase] = useState(template);
  const [written, setWritten] = useState(() => writtenOf(template));
  const isChanged = JSON.stringify(written) !== JSON.stringify(writtenOf(base));
  const change = (changes: Partial<Written>) => {
    setWritten((before) => ({ ...before, ...changes }));
  };
  const saving = useMutation({
    mutationFn: () => {
      const { title, description, variables, ...fields } = written;
      const body = {
        ...fields,
        title: title === '' ? null : title,
        description: description === '' ? null : description,
        variables: variables.filter(({ name }) => name.trim() !== ''),
      };
      return bodyOf(
        api.PATCH('/v1/templates/{id}', {
          params: {
            path: { id: template.id },
            header: { 'If-Match': versionTag(base.version) },
          },
          body: body as never,
        }),
      );
    },
    onSuccess: ({ data, meta }) => {
      const warnings = (meta.warnings ?? []).map(({ field, issue }) => `${field}: ${issue}`);
      showDone(['Template saved.', ...warnings].join(' '));
      setBase(data);
      queryClient.setQueryData([accountId, 'templates', 'one', template.id], data);
      void queryClient.invalidateQueries({ queryKey: [accountId, 'templates', 'versions'] });
    },
  });
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          if (isChanged && !readOnly) saving.mutate();
        },
      ],
    ],
    [],
    true,
  );
  const failure = saving.error ? asFailure(saving.error) : undefined;
  return (
    <Section title="Template">
      <Stack>
        <div className={classes.fields}>
          <TextInput
            label="Name"
            required
            maxLength={200}
            value={written.name}
            readOnly={readOnly}
            error={failure?.problemOf('name')}
            onChange={({ currentTarget }) => {
              change({ name: currentTarget.value });
            }}
          />
          <NativeSelect
            label="Type"
            data={TYPES.map(([value, label]) => ({ value, label }))}
            value={written.type}
            disabled={readOnly}
            onChange={({ currentTarget }) => {
              change({ type: currentTarget.value as DocumentType });
            }}
          />
        </div>
        <Textarea
          label="Description"
          maxLength={2000}
          value={written.description}
          readOnly={readOnly}
          onChange={({ currentTarget }) => {
            change({ description: currentTarget.value });
          }}
        />
        <TextInput
          label="Title"
          description="The default title for new documents. Leave empty for no default."
          maxLength={500}
          value={written.title}
          readOnly={readOnly}
          error={failure?.problemOf('title')}
          onChange={({ currentTarget }) => {
            change({ title: currentTarget.value });
          }}
        />
        <div>
          <Text size="sm" fw={500} mb={4} aria-hidden>
            Content
          </Text>
          <div className={classes.editor}>
            <ContentEditor
              text={written.content}
              readOnly={readOnly}
              placeholder="Text with {{variables}}"
              onChange={(content) => {
                change({ content });
              }}
            />
          </div>
        </div>
        <VariableRows
          variables={written.variables}
          onChange={(variables) => {
            change({ variables });
          }}
        />
        {failure?.status === 412 ? (
          <Newer onReload={onReload} />
        ) : (
          failure && <FailureAlert error={failure} />
        )}
        <Group>
          <Button
            loading={saving.isPending}
            disabled={!isChanged}
            onClick={() => {
              saving.mutate();
            }}
            {...allowance}
          >
            Save template
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              Unsaved changes. The preview shows the saved version.
            </Text>
          )}
        </Group>
      </Stack>
      <AskBeforeLeaving isChanged={isChanged} what="this template" />
    </Section>
  );
}

/** Somebody else saved the template in the meantime. */
function Newer({ onReload }: { onReload: () => void }) {
  return (
    <Alert role="alert" color="orange" title="Someone else also changed this">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">Copy your changes, then load the latest version.</Text>
        <Button size="xs" variant="default" onClick={onReload}>
          Load latest version
        </Button>
      </Stack>
    </Alert>
  );
}
