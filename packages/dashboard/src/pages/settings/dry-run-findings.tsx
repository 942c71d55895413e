import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { AppLink } from '../../components/app-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { countOf, formatCount } from '../../components/numbers.js';
import classes from './settings.module.css';

interface RuleFindings {
  ruleId: string;
  findings: number;
  documents: number;
  examples: { documentId: string; line: number; original: string }[];
}

interface DocumentFindings {
  documentId: string;
  title: string;
  findings: number;
}

/** The result of the job. No schema of the API describes it. */
export interface DryRunResult {
  version: number;
  documents: number;
  documentsWithFindings: number;
  findings: number;
  rules: RuleFindings[];
  mostFindings: DocumentFindings[];
}

const DOCUMENT_COLUMNS: readonly Column<DocumentFindings>[] = [
  {
    title: 'Document',
    cell: ({ documentId, title }) => <DocumentLink id={documentId}>{title}</DocumentLink>,
  },
  { title: 'Findings', cell: ({ findings }) => formatCount(findings), kind: 'number' },
];

const RULE_COLUMNS: readonly Column<RuleFindings>[] = [
  { title: 'Rule', cell: ({ ruleId }) => <code>{ruleId}</code> },
  { title: 'Findings', cell: ({ findings }) => formatCount(findings), kind: 'number' },
  { title: 'Documents', cell: ({ documents }) => formatCount(documents), kind: 'number' },
  {
    title: 'Example',
    cell: ({ examples }) => (
      <ul className={classes.examples}>
        {examples.map(({ documentId, line, original }, index) => (
          <li key={index}>
            <DocumentLink id={documentId}>
              “{original}”, line {line}
            </DocumentLink>
          </li>
        ))}
      </ul>
    ),
  },
];

function DocumentLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <AppLink to="/{-$accountId}/documents/$documentId" params={{ documentId: id }}>
      {children}
    </AppLink>
  );
}

/** What a version would find, by document and by rule. */
export function DryRunFindings({ result }: { result: DryRunResult }) {
  const { version, documents, documentsWithFindings, findings, rules, mostFindings } = result;
  return (
    <Stack>
      <Text role="status">
        Version {version} found {countOf(findings, 'issue')} in {formatCount(documentsWithFindings)}{' '}
        of {countOf(documents, 'document')}.
      </Text>
      {findings > 0 && (
        <>
          <DataTable
            name="Findings by document"
            columns={DOCUMENT_COLUMNS}
            rows={mostFindings}
            idOf={({ documentId }) => documentId}
            nameOf={({ title }) => title}
            empty={{ sentence: 'No findings.' }}
          />
          {documentsWithFindings > mostFindings.length && (
            <Text size="sm" c="dimmed">
              The {formatCount(mostFindings.length)} documents with the most findings.
            </Text>
          )}
          <DataTable
            name="Findings by rule"
            columns={RULE_COLUMNS}
            rows={rules}
            idOf={({ ruleId }) => ruleId}
            nameOf={({ ruleId }) => ruleId}
            empty={{ sentence: 'No findings.' }}
          />
        </>
      )}
    </Stack>
  );
}
