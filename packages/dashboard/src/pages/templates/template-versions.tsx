import { Badge, Menu } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { bodyOf, dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock } from '../../components/code-block.js';
import { RestoreVersion } from '../../components/confirm-dialog.js';
import { DataTable, type Column } from '../../components/data-table.js';
import type { CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { Section } from '../../components/page.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';

type Version = components['schemas']['TemplateVersionListItem'];
type Template = components['schemas']['Template'];

interface TemplateVersionsProps {
  template: Template;
  onRestored: () => void;
}

/** The versions of a template. An open one shows its text. */
export function TemplateVersions({ template, onRestored }: TemplateVersionsProps) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const allowance = useAllowance('templates:write');
  const dialogs = useDialogs();
  const restoring = dialogs.dialog === 'restore' ? Number(dialogs.of) : 0;
  const page = pageOf(state);
  const path = { id: template.id };
  const versions = useQuery({
    queryKey: [accountId, 'templates', 'versions', template.id, template.version, page],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/templates/{id}/versions', {
          params: { path, query: { page, limit: PAGE_SIZE } },
        }),
      ),
  });
  const columns: readonly Column<Version>[] = [
    {
      title: 'Version',
      cell: ({ number }) => (
        <>
          <AppLink
            to="."
            search={((previous: object) => ({ ...previous, open: String(number) })) as never}
            resetScroll={false}
          >
            Version {number}
          </AppLink>{' '}
          {number === template.version && (
            <Badge tt="none" miw="max-content">
              Current
            </Badge>
          )}
        </>
      ),
    },
    {
      title: 'Change',
      cell: ({ number, changes }) => (number === 1 ? 'Created' : `Changed: ${changes.join(', ')}`),
    },
    { title: 'Author', cell: ({ author }) => author?.name ?? 'Built in', kind: 'narrow' },
    { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
  ];
  return (
    <Section title="Versions">
      <DataTable
        name="Versions"
        columns={columns}
        rows={versions.data?.data}
        idOf={({ number }) => String(number)}
        nameOf={({ number }) => `Version ${String(number)}`}
        error={versions.error}
        onRetry={() => void versions.refetch()}
        openId={state.open}
        expectedRows={2}
        empty={{ sentence: 'No versions on this page.' }}
        actions={({ number }) => (
          <RowMenu name={`Version ${String(number)}`}>
            <Menu.Item
              disabled={number === template.version}
              onClick={() => {
                dialogs.open('restore', String(number));
              }}
              {...allowance}
            >
              Restore this version
            </Menu.Item>
          </RowMenu>
        )}
      />
      <Pager pagination={versions.data?.meta.pagination} />
      {state.open !== undefined && /^[1-9]\d{0,8}$/.test(state.open) && (
        <VersionText templateId={template.id} number={Number(state.open)} />
      )}
      {restoring > 0 && restoring < template.version && (
        <RestoreTemplate
          template={template}
          number={restoring}
          onRestored={onRestored}
          onClose={dialogs.close}
        />
      )}
    </Section>
  );
}

function VersionText({ templateId, number }: { templateId: string; number: number }) {
  const { id: accountId, api } = useAccount();
  const version = useQuery({
    queryKey: [accountId, 'templates', 'version', templateId, number],
    queryFn: () =>
      dataOf(
        api.GET('/v1/templates/{id}/versions/{number}', {
          params: { path: { id: templateId, number } },
        }),
      ),
    staleTime: Infinity,
  });
  if (version.error) return <FailureAlert error={version.error} />;
  if (!version.data) return null;
  return <CodeBlock name={`Text of version ${String(number)}`} text={version.data.content} />;
}

interface RestoreTemplateProps {
  template: Template;
  number: number;
  onRestored: () => void;
  onClose: CloseDialog;
}

function RestoreTemplate({ template, number, onRestored, onClose }: RestoreTemplateProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const path = { id: template.id, number };
  return (
    <RestoreVersion
      number={number}
      scope="templates:write"
      keptIn="Versions"
      restore={async () => {
        const route = '/v1/templates/{id}/versions/{number}/restore';
        return (await dataOf(api.POST(route, { params: { path } }))).version;
      }}
      onDone={async (version) => {
        showDone(`Version ${String(number)} restored as version ${String(version)}.`);
        await onClose();
        onRestored();
        await queryClient.invalidateQueries({ queryKey: [accountId, 'templates'] });
      }}
      onClose={onClose}
    />
  );
}
