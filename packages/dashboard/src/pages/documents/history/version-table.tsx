import { Badge, Menu } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../api/v1-schema.js';
import { AppLink } from '../../../components/app-link.js';
import { DataTable, type Column } from '../../../components/data-table.js';
import { RowMenu } from '../../../components/row-menu.js';
import { Time } from '../../../components/time.js';
import { useSearchState } from '../../../search-state.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import type { Document } from '../document-types.js';
import classes from './history.module.css';
import { PublishVersionItem } from './publish-version-item.js';
import { RestoreDocument } from './restore-document.js';

type Version = components['schemas']['Version'];

interface VersionTableProps {
  documentId: string;
  versions: {
    data: { data: Version[]; meta: { pagination: { total: number } } } | undefined;
    error: Error | null;
    refetch: () => unknown;
  };
  /** Number of the newest version. */
  current: number | undefined;
  compared: { from: number; to: number } | undefined;
  /** Set while publishing is on. */
  publishable: Document | undefined;
}

const CHANGES: Readonly<Record<string, string>> = {
  title: 'title',
  type: 'type',
  content: 'text',
  metadata: 'metadata',
  aiSettings: 'settings',
  externalId: 'external ID',
  status: 'status',
};

function whatChanged({ number, changes, origin }: Version): string {
  if (number === 1) return 'Created';
  const names = changes.map((change) => CHANGES[change] ?? change).join(', ');
  const suggestions = origin ? ' by suggestions' : '';
  return `Changed: ${names === '' ? 'nothing' : names}${suggestions}`;
}

/** The versions of a document. Compares two selected ones, and restores one. */
export function VersionTable(props: VersionTableProps) {
  const { documentId, versions, current, compared, publishable } = props;
  const [, change] = useSearchState();
  const allowance = useAllowance('documents:write');
  const dialogs = useDialogs();
  const restoring = dialogs.dialog === 'restore' ? Number(dialogs.of) : 0;
  const [only, setOnly] = useState<string>();
  const selected = new Set(
    only === undefined && compared
      ? [String(compared.from), String(compared.to)]
      : only === undefined
        ? []
        : [only],
  );
  const select = (ids: ReadonlySet<string>) => {
    // The third selection replaces the first one.
    const [one, other] = [...ids].slice(-2).sort((a, b) => Number(a) - Number(b));
    setOnly(other === undefined ? one : undefined);
    change({ from: other === undefined ? undefined : one, to: other, open: undefined });
  };
  const columns: readonly Column<Version>[] = [
    {
      title: 'Version',
      kind: 'main',
      cell: (version) => (
        <>
          <span className={classes.versionTitle}>
            <AppLink
              to="."
              search={
                ((previous: object) => ({
                  ...previous,
                  from: undefined,
                  to: String(version.number),
                })) as never
              }
              resetScroll={false}
              onClick={() => {
                setOnly(undefined);
              }}
            >
              Version {version.number}
            </AppLink>
            {version.number === current && <Badge tt="none">Current</Badge>}
            {version.number === publishable?.published?.version && (
              <Badge color="green" tt="none">
                Published
              </Badge>
            )}
          </span>
          <span className={classes.versionFacts}>{whatChanged(version)}</span>
          <span className={classes.versionFacts}>
            {version.author.name}, <Time at={version.createdAt} />
          </span>
        </>
      ),
    },
  ];
  const isOne = versions.data?.meta.pagination.total === 1;
  return (
    <>
      {isOne && <p>No earlier versions.</p>}
      <DataTable
        name="History"
        columns={columns}
        rows={versions.data?.data}
        idOf={({ number }) => String(number)}
        nameOf={({ number }) => `Version ${String(number)}`}
        error={versions.error}
        onRetry={() => void versions.refetch()}
        openId={compared && String(compared.to)}
        empty={{ sentence: 'No versions on this page.' }}
        selection={{ selected, change: select }}
        actions={({ number }) => (
          <RowMenu name={`Version ${String(number)}`}>
            {current !== undefined && number !== current && (
              <Menu.Item
                onClick={() => {
                  change({ from: String(number), to: String(current), open: undefined });
                }}
              >
                Compare with current
              </Menu.Item>
            )}
            <Menu.Item
              disabled={number === current}
              onClick={() => {
                dialogs.open('restore', String(number));
              }}
              {...allowance}
            >
              Restore this version
            </Menu.Item>
            {publishable && <PublishVersionItem document={publishable} number={number} />}
          </RowMenu>
        )}
      />
      {restoring > 0 && restoring !== current && (
        <RestoreDocument documentId={documentId} number={restoring} onClose={dialogs.close} />
      )}
    </>
  );
}
