import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page } from '../../components/page.js';
import { useSearchState } from '../../search-state.js';
import { TYPES, type DocumentType } from './document-types.js';
import { ContentEditor } from './editor/content-editor.js';
import { SaveFailure, SaveState } from './save-state.js';
import { TemplateFields } from './template-fields.js';
import classes from './document-page.module.css';
import { useNewDocument } from './use-new-document.js';
import { useAllowance } from '../../components/use-allowance.js';

/** Templates that are offered. */
const OFFERED = 100;

export function NewDocumentPage() {
  const { id: accountId, api, may } = useAccount();
  const [{ template: templateId }, change] = useSearchState();
  const allowance = useAllowance('documents:write');
  const templates = useQuery({
    queryKey: [accountId, 'templates', 'offered'],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/templates', {
          params: { query: { limit: OFFERED, sort: 'name', order: 'asc' } },
        }),
      ),
    enabled: may('templates:read'),
  });
  const template = useQuery({
    queryKey: [accountId, 'templates', 'one', templateId],
    queryFn: () =>
      dataOf(api.GET('/v1/templates/{id}', { params: { path: { id: templateId ?? '' } } })),
    enabled: templateId !== undefined,
  });
  const offered = templates.data?.data ?? [];
  return (
    <NewDocumentForm
      // What was typed for one template means nothing for another.
      key={templateId ?? 'blank'}
      allowance={allowance}
      template={templateId === undefined ? undefined : template.data}
      templateError={template.error}
      isLoading={templateId !== undefined && template.isPending}
      choice={
        <NativeSelect
          label="Template"
          value={templateId ?? ''}
          data={[
            { value: '', label: 'Blank' },
            ...offered.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={({ currentTarget }) => {
            change({ template: currentTarget.value === '' ? undefined : currentTarget.value });
          }}
        />
      }
    />
  );
}

interface NewDocumentFormProps {
  allowance: ReturnType<typeof useAllowance>;
  template: Parameters<typeof TemplateFields>[0]['template'] | undefined;
  templateError: Error | null;
  isLoading: boolean;
  choice: React.ReactNode;
}

function NewDocumentForm(props: NewDocumentFormProps) {
  const { allowance, template, templateError, isLoading, choice } = props;
  const [type, setType] = useState<DocumentType>();
  const [values, setValues] = useState<Record<string, string>>({});
  const writing = useNewDocument({ template, values, type, disabled: allowance.disabled === true });
  const { texts, state, edit, create, found } = writing;
  return (
    <Page
      title="New document"
      sentence={
        <>
          <AppLink to="/{-$accountId}/documents">Documents</AppLink>{' '}
          <SaveState status={state.status} />
        </>
      }
      actions={
        <Button
          loading={state.status === 'Saving…'}
          disabled={isLoading}
          onClick={() => void create()}
          {...allowance}
        >
          Create
        </Button>
      }
    >
      <Stack>
        <SaveFailure state={state} onSave={() => void create()} />
        {templateError && <FailureAlert error={templateError} />}
        <div className={classes.choices}>
          {choice}
          <NativeSelect
            label="Type"
            value={type ?? template?.type ?? 'document'}
            data={TYPES.map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => {
              setType(currentTarget.value as DocumentType);
            }}
          />
        </div>
        <TextInput
          label="Title"
          size="md"
          maxLength={500}
          autoFocus
          value={texts.title}
          placeholder={template?.title ?? ''}
          error={state.failure?.problemOf('title')}
          onChange={({ currentTarget }) => {
            edit({ title: currentTarget.value });
          }}
        />
        {template && <TemplateFields template={template} values={values} onChange={setValues} />}
        {!template && !isLoading && found && (
          <div className={classes.text}>
            <div className={classes.editor}>
              <ContentEditor
                initialText={texts.content}
                readOnly={allowance.disabled === true}
                placeholder="Write, or drop a file"
                onChange={(content) => {
                  edit({ content });
                }}
              />
            </div>
          </div>
        )}
      </Stack>
    </Page>
  );
}
