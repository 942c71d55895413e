import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Page, Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { TemplateFields } from '../documents/template-fields.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import { DeleteTemplate } from './delete-template.js';
import { TemplateForm } from './template-form.js';
import { TemplateVersions } from './template-versions.js';

export function TemplatePage() {
  const { templateId = '' } = useParams({ strict: false });
  const { id: accountId, api } = useAccount();
  const navigate = useNavigate();
  const allowance = useAllowance('templates:write');
  const writing = useAllowance('documents:write');
  const { dialog, open, close } = useDialogs();
  // Number of times the form was reset.
  const [loads, setLoads] = useState(0);
  const [values, setValues] = useState<Record<string, string>>({});
  const template = useQuery({
    queryKey: [accountId, 'templates', 'one', templateId],
    queryFn: () => dataOf(api.GET('/v1/templates/{id}', { params: { path: { id: templateId } } })),
    refetchInterval: every(false) as never,
  });
  const reload = () => {
    void template.refetch().then(() => {
      setLoads((before) => before + 1);
    });
  };
  const toList = () => {
    void navigate({ to: '/{-$accountId}/templates', params: { accountId } });
  };
  const { data } = template;
  return (
    <Page
      title={data?.name ?? 'Template'}
      above={<AppLink to="/{-$accountId}/templates">Templates</AppLink>}
      actions={
        data && (
          <>
            <Button
              variant="default"
              onClick={() => {
                open('delete');
              }}
              {...allowance}
            >
              Delete template
            </Button>
            <Button
              onClick={() => {
                void navigate({
                  to: '/{-$accountId}/documents/new',
                  params: { accountId },
                  search: { template: data.id } as never,
                });
              }}
              {...writing}
            >
              Use template
            </Button>
          </>
        )
      }
    >
      {template.error && (
        <FailureAlert error={template.error} onRetry={() => void template.refetch()} />
      )}
      {!data && !template.error && <LoadingLines rows={12} height={28} />}
      {data && (
        <>
          <TemplateForm
            key={`${data.id} ${String(loads)}`}
            template={data}
            readOnly={allowance.disabled === true}
            onReload={reload}
          />
          <Section title="Try this template">
            <TemplateFields template={data} values={values} onChange={setValues} />
          </Section>
          <TemplateVersions template={data} onRestored={reload} />
        </>
      )}
      {dialog === 'delete' && data && (
        <DeleteTemplate template={data} onDeleted={toList} onClose={close} />
      )}
    </Page>
  );
}
