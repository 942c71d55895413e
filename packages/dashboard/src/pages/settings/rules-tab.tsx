import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { FilterBar, SelectFilter, TextFilter } from '../../components/filters.js';
import { LoadingLines } from '../../components/page-loading.js';
import { PAGE_SIZE, pageOf, Pager } from '../../components/pager.js';
import { useRules } from '../../components/use-rules.js';
import { useSearchState } from '../../search-state.js';
import classes from './settings.module.css';

type Rule = components['schemas']['AnalysisRule'];

const CATEGORIES: readonly (readonly [Rule['category'], string])[] = [
  ['spelling', 'Spelling'],
  ['grammar', 'Grammar'],
  ['punctuation', 'Punctuation'],
  ['casing', 'Casing'],
  ['repetition', 'Repetition'],
  ['wordiness', 'Wordiness'],
  ['passive', 'Passive'],
  ['inclusive', 'Inclusive language'],
  ['simplicity', 'Simplicity'],
  ['length', 'Length'],
];

/** All analysis rules with examples. They can be searched and turned off. */
export default function RulesTab() {
  const { id, api } = useAccount();
  const { off, turn } = useRules();
  const [state] = useSearchState();
  const { search, category, state: only } = state;
  const page = pageOf(state);
  const query = {
    page,
    limit: PAGE_SIZE,
    ...(search !== undefined && { search }),
    ...(category !== undefined && { category: [category as Rule['category']] }),
    ...(only !== undefined && { disabled: only === 'off' }),
  };
  const rules = useQuery({
    queryKey: [id, 'analysis-rules', query],
    queryFn: () => bodyOf(api.GET('/v1/analysis-rules', { params: { query } })),
    placeholderData: keepPreviousData,
  });
  const active = [category, only].filter((value) => value !== undefined).length;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        A rule that is turned off reports nothing in this account.
        {!turn && ' Only owners can turn rules off.'}
      </Text>
      <TextFilter label="Search rules" name="search" search />
      <FilterBar label="Filters" active={active}>
        <SelectFilter label="Category" name="category" options={CATEGORIES} />
        <SelectFilter
          label="State"
          name="state"
          options={[
            ['on', 'Turned on'],
            ['off', 'Turned off'],
          ]}
        />
      </FilterBar>
      {rules.data ? (
        <>
          {rules.data.data.length === 0 ? (
            <EmptyState sentence="No results. Remove a filter." />
          ) : (
            <ul className={classes.catalog} aria-label="Rules">
              {rules.data.data.map((rule) => (
                <RuleEntry key={rule.id} rule={rule} isOff={off.has(rule.id)} turn={turn} />
              ))}
            </ul>
          )}
          <Pager pagination={rules.data.meta.pagination} />
        </>
      ) : rules.error ? (
        <FailureAlert error={rules.error} onRetry={() => void rules.refetch()} />
      ) : (
        <LoadingLines rows={8} height={40} />
      )}
    </Stack>
  );
}

interface RuleEntryProps {
  rule: Rule;
  isOff: boolean;
  turn: ReturnType<typeof useRules>['turn'];
}

function RuleEntry({ rule, isOff, turn }: RuleEntryProps) {
  const { id, description, example, languages, source } = rule;
  const facts = [
    ...(languages.length === 0 ? ['all languages'] : languages),
    ...(source === 'built-in' ? [] : [source === 'harper' ? 'Harper' : 'language model']),
    ...(isOff ? ['turned off'] : []),
  ];
  return (
    <li className={classes.catalogRule}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" className={classes.catalogId ?? ''}>
          <code>{id}</code>
        </Text>
        {turn && (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.catalogButton ?? ''}
            aria-label={`Turn ${isOff ? 'on' : 'off'} ${id}`}
            onClick={() => {
              turn(id, isOff);
            }}
          >
            {isOff ? 'Turn on' : 'Turn off'}
          </Button>
        )}
      </Group>
      <Text size="sm">{description}</Text>
      {example && (
        <Text size="sm">
          <del>{example.wrong}</del> <ins>{example.right}</ins>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
    </li>
  );
}
