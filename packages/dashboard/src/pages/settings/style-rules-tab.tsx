import { nounOf } from '../../components/numbers.js';
import { Badge, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showFailure } from '../../components/messages.js';
import { RowMenu } from '../../components/row-menu.js';
import { Time } from '../../components/time.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useSearchState } from '../../search-state.js';
import { DryRun, useDryRun } from './dry-run.js';
import { ImportStyleRules } from './import-style-rules.js';
import { StyleRulesEditor } from './style-rules-editor.js';
import { StyleRulesVersion } from './style-rules-version.js';
import { useActivation, useStyleRules, WRITE_RULES, type StyleRules } from './style-rules.js';

const COLUMNS: readonly Column<StyleRules>[] = [
  {
    title: 'Version',
    cell: ({ version }) => (
      <AppLink
        to="."
        search={(state: object) => ({ ...state, open: String(version), edit: undefined })}
      >
        Version {version}
      </AppLink>
    ),
  },
  {
    title: 'Rules',
    cell: ({ rules }) => rules.length,
    kind: 'number',
    phoneUnit: ({ rules }) => nounOf(rules.length, 'rule'),
  },
  {
    title: 'Active',
    cell: ({ isActive }) => isActive && <Badge color="green">Active</Badge>,
    kind: 'narrow',
  },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
];

/** Versions of the style rules. Analyses use the active version. */
export function StyleRulesTab() {
  const { may } = useAccount();
  const [{ open, edit }, change] = useSearchState();
  const versions = useStyleRules();
  const mayWrite = may(WRITE_RULES);
  const whyNot = mayWrite ? undefined : "Your role can't change style rules.";
  const startEditing = (from: string) => {
    change({ edit: from, open: undefined });
  };
  const newest = versions.data?.[0];
  const newVersion = (
    <Button
      disabled={!mayWrite}
      title={whyNot}
      onClick={() => {
        startEditing(newest ? String(newest.version) : 'new');
      }}
    >
      New version
    </Button>
  );
  const isEditing = edit !== undefined && versions.data !== undefined;
  const shown = versions.data?.find(({ version }) => String(version) === open);
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text size="sm" maw={620}>
          Preferred and banned terms. Analyses apply the active version to every document.
        </Text>
        <Group gap="xs">
          <ImportStyleRules disabled={!mayWrite} whyNot={whyNot} />
          {versions.data?.length !== 0 && newVersion}
        </Group>
      </Group>
      {isEditing && (
        <StyleRulesEditor
          key={edit}
          from={versions.data.find(({ version }) => String(version) === edit)}
        />
      )}
      {!(isEditing && versions.data.length === 0) && (
        <DataTable
          name="Style rules"
          columns={COLUMNS}
          rows={versions.data}
          idOf={({ version }) => String(version)}
          nameOf={({ version }) => `Version ${String(version)}`}
          error={versions.error}
          onRetry={() => void versions.refetch()}
          openId={open}
          expectedRows={3}
          empty={{
            sentence: 'No style rules yet. Add rules or import a Vale style.',
            action: newVersion,
          }}
          actions={(rules) => <VersionMenu rules={rules} onEdit={startEditing} />}
        />
      )}
      <DryRun />
      {shown && <StyleRulesVersion rules={shown} />}
      {versions.data && open !== undefined && !shown && (
        <FailureAlert
          error={new Failure(`Version ${open} of the style rules doesn't exist.`, 404)}
        />
      )}
    </Stack>
  );
}

interface VersionMenuProps {
  rules: StyleRules;
  onEdit: (version: string) => void;
}

function VersionMenu({ rules: { version, isActive }, onEdit }: VersionMenuProps) {
  const activation = useActivation();
  const dryRun = useDryRun();
  const writing = useAllowance(WRITE_RULES);
  const analyzing = useAllowance('documents:analyze');
  return (
    <RowMenu name={`Version ${String(version)}`}>
      <Menu.Item
        onClick={() => {
          dryRun.mutate(version);
        }}
        {...analyzing}
      >
        Dry run
      </Menu.Item>
      <Menu.Item
        {...writing}
        onClick={() => {
          activation.mutate(isActive ? undefined : version, { onError: showFailure });
        }}
      >
        {isActive ? 'Deactivate' : 'Activate'}
      </Menu.Item>
      <Menu.Item
        {...writing}
        onClick={() => {
          onEdit(String(version));
        }}
      >
        Edit as new version
      </Menu.Item>
    </RowMenu>
  );
}
