import { Badge, Button } from '@mantine/core';
import { DataTable, type Column } from '../../components/data-table.js';
import { Section } from '../../components/page.js';
import { useSearchState } from '../../search-state.js';
import { ruleInWords, SEVERITY_COLORS, type StyleRule, type StyleRules } from './style-rules.js';

const COLUMNS: readonly Column<StyleRule>[] = [
  { title: 'Rule', cell: ({ id }) => <code>{id}</code> },
  { title: 'Description', cell: ruleInWords },
  {
    title: 'Severity',
    cell: ({ kind, severity }) =>
      kind !== 'accepted' && (
        <Badge color={SEVERITY_COLORS[severity]} miw="max-content">
          {severity}
        </Badge>
      ),
    kind: 'narrow',
  },
  { title: 'Message', cell: ({ message }) => message ?? '', wideOnly: true },
];

/** Describes the rules of one version. */
export function StyleRulesVersion({ rules: { version, rules } }: { rules: StyleRules }) {
  const [, change] = useSearchState();
  const title = `Version ${String(version)}`;
  return (
    <Section title={title}>
      <DataTable
        name={title}
        columns={COLUMNS}
        rows={rules}
        idOf={({ id }) => id}
        nameOf={({ id }) => id}
        empty={{ sentence: 'This version has no rules.' }}
      />
      <Button
        mt="md"
        size="xs"
        variant="default"
        onClick={() => {
          change({ open: undefined });
        }}
      >
        Close
      </Button>
    </Section>
  );
}
