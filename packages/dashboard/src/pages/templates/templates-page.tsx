import { Badge, Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { FilterBar, SelectFilter, TextFilter } from '../../components/filters.js';
import { Icon } from '../../components/icons.js';
import { Page } from '../../components/page.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { TYPES, typeName } from '../documents/document-types.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useDialogs } from '../../components/use-dialogs.js';
import classes from './template.module.css';
import { DeleteTemplate } from './delete-template.js';
import { NewTemplate } from './new-template.js';

type TemplateListItem = components['schemas']['TemplateListItem'];

const COLUMNS: readonly Column<TemplateListItem>[] = [
  {
    title: 'Name',
    kind: 'main',
    cell: ({ id, name, description }) => (
      <>
        <AppLink
          to="/{-$accountId}/templates/$templateId"
          params={((previous: object) => ({ ...previous, templateId: id })) as never}
        >
          {name}
        </AppLink>
        {description && <span className={classes.description}>{description}</span>}
      </>
    ),
  },
  { title: 'Type', cell: ({ type }) => typeName(type), kind: 'narrow' },
  {
    title: 'Variables',
    cell: ({ variables }) => variables.length,
    kind: 'number',
    wideOnly: true,
  },
  {
    title: 'Created by',
    cell: ({ createdBy }) =>
      createdBy?.name ?? (
        <Badge tt="none" color="gray" miw="max-content">
          Starter
        </Badge>
      ),
    kind: 'narrow',
    wideOnly: true,
  },
  { title: 'Last edited', cell: ({ updatedAt }) => <Time at={updatedAt} />, kind: 'narrow' },
];

export function TemplatesPage() {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const navigate = useNavigate();
  const allowance = useAllowance('templates:write');
  const writing = useAllowance('documents:write');
  const { dialog, of, open, close } = useDialogs();
  const page = pageOf(state);
  const type = TYPES.find(([value]) => value === state['type'])?.[0];
  const query = {
    page,
    limit: PAGE_SIZE,
    ...(state['q'] !== undefined && { q: state['q'] }),
    ...(type && { type: [type] }),
  };
  const templates = useQuery({
    queryKey: [accountId, 'templates', 'list', query],
    queryFn: () => bodyOf(api.GET('/v1/templates', { params: { query } })),
    refetchInterval: every(false) as never,
  });
  const deleting = templates.data?.data.find(({ id }) => id === of);
  const isEmpty = templates.data?.meta.pagination.total === 0 && !state['q'] && !type;
  const begin = (
    <Button
      leftSection={<Icon name="add" size={16} />}
      onClick={() => {
        open('new-template');
      }}
      {...allowance}
    >
      New template
    </Button>
  );
  return (
    <Page
      title="Templates"
      sentence="Reusable starting points for documents, with variables."
      actions={!isEmpty && begin}
    >
      <FilterBar label="Templates" active={[state['q'], type].filter(Boolean).length}>
        <TextFilter label="Search" name="q" search placeholder="Name or description" />
        <SelectFilter label="Type" name="type" options={TYPES} />
      </FilterBar>
      <DataTable
        name="Templates"
        columns={COLUMNS}
        rows={templates.data?.data}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        error={templates.error}
        onRetry={() => void templates.refetch()}
        empty={
          isEmpty
            ? { sentence: 'No templates yet.', action: begin }
            : { sentence: 'No results. Remove a filter.' }
        }
        actions={(template) => (
          <RowMenu name={template.name}>
            <Menu.Item
              onClick={() => {
                void navigate({
                  to: '/{-$accountId}/documents/new',
                  params: { accountId },
                  search: { template: template.id } as never,
                });
              }}
              {...writing}
            >
              Use template
            </Menu.Item>
            <Menu.Item
              color="red"
              onClick={() => {
                open('delete', template.id);
              }}
              {...allowance}
            >
              Delete template
            </Menu.Item>
          </RowMenu>
        )}
      />
      <Pager pagination={templates.data?.meta.pagination} />
      {dialog === 'new-template' && <NewTemplate onClose={close} />}
      {dialog === 'delete' && deleting && <DeleteTemplate template={deleting} onClose={close} />}
    </Page>
  );
}
