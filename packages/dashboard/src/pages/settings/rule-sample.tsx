import { Badge, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure, type Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { countOf } from '../../components/numbers.js';
import classes from './settings.module.css';
import { withoutBlankLines, type EditedRule } from './style-rule-form.js';
import { SEVERITY_COLORS } from './style-rules.js';

type Findings = components['schemas']['StyleRuleFindings'];
type TestBody = components['schemas']['TestStyleRules'];

/** Pause after a keystroke before the service is asked, in ms. */
const TYPING_PAUSE = 300;
const MAX_SAMPLE_CHARACTERS = 10_000;

interface RuleTest {
  /** The last result and its text. */
  result: (Findings & { content: string }) | undefined;
  /** Why the service rejected the rule or did not respond. */
  failure: Failure | undefined;
  isPending: boolean;
  retry: () => void;
}

/** Tries an edited rule on a text. Only the service compiles patterns. */
export function useRuleTest(rule: EditedRule, content: string, isEnabled: boolean): RuleTest {
  const { id, api, may } = useAccount();
  const now = JSON.stringify({ rules: [withoutBlankLines(rule)], content });
  const [asked] = useDebouncedValue(now, TYPING_PAUSE);
  const test = useQuery({
    queryKey: [id, 'style-rule-test', asked],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(asked) as TestBody;
      const result = await dataOf(api.POST('/v1/style-rules/test', { body, signal }));
      return { ...result, content: body.content };
    },
    enabled: isEnabled && may('documents:analyze'),
    placeholderData: keepPreviousData,
    // The same rule always has the same result.
    staleTime: Infinity,
    gcTime: 60_000,
  });
  return {
    result: test.data,
    failure: test.error ? asFailure(test.error) : undefined,
    isPending: test.isFetching || asked !== now,
    retry: () => void test.refetch(),
  };
}

interface RuleSampleProps {
  content: string;
  onChange: (content: string) => void;
  test: RuleTest;
}

/** A sample text next to a rule, and what the rule reports in it. */
export function RuleSample({ content, onChange, test }: RuleSampleProps) {
  const { result, failure, retry } = test;
  const isRefused = failure?.status === 400;
  return (
    <Stack gap="xs">
      <Textarea
        label="Sample text"
        description="Findings appear below while you type. The text isn't saved."
        placeholder="Type or paste a text"
        rows={4}
        maxLength={MAX_SAMPLE_CHARACTERS}
        value={content}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
        }}
      />
      {failure && !isRefused && <FailureAlert error={failure} onRetry={retry} />}
      <Text size="sm" role="status">
        {isRefused ? 'Fix the rule to see its findings.' : summaryOf(content, test)}
      </Text>
      {!failure && result && result.findings.length > 0 && <Found result={result} />}
    </Stack>
  );
}

function summaryOf(content: string, { result, failure, isPending }: RuleTest): string {
  if (failure || content.trim() === '') return '';
  if (!result) return isPending ? 'Checking…' : '';
  const count = result.findings.length + result.findingsOmitted;
  return count === 0 ? 'No findings.' : `${countOf(count, 'finding')}.`;
}

/** Maximum number of findings to list. All of them are marked. */
const MOST_LISTED = 20;

function Found({ result: { content, findings } }: { result: Findings & { content: string } }) {
  return (
    <>
      <div
        className={classes.sample}
        role="group"
        aria-label="Findings in the sample text"
        tabIndex={0}
      >
        {partsOf(content, findings).map(({ text, isFound }, index) =>
          isFound ? <mark key={index}>{text}</mark> : <Fragment key={index}>{text}</Fragment>,
        )}
      </div>
      <ul className={classes.examples} aria-label="Findings">
        {findings.slice(0, MOST_LISTED).map((finding, index) => (
          <li key={index}>
            <Text size="sm">
              <Badge color={SEVERITY_COLORS[finding.severity]} mr="xs">
                {finding.severity}
              </Badge>
              {passageOf(finding)}: {finding.message}
            </Text>
          </li>
        ))}
      </ul>
      {findings.length > MOST_LISTED && (
        <Text size="sm" c="dimmed">
          The first {MOST_LISTED} findings.
        </Text>
      )}
    </>
  );
}

/** Maximum length of a listed passage, in characters. */
const PASSAGE_CHARACTERS = 60;

function passageOf({ original, replacements: [best] }: Findings['findings'][number]): string {
  const passage =
    original.length > PASSAGE_CHARACTERS ? `${original.slice(0, PASSAGE_CHARACTERS)}…` : original;
  return best === undefined ? `“${passage}”` : `“${passage}” → “${best.value}”`;
}

/** Returns the parts of a text with marked findings. If two overlap, the second is marked from the end of the first. */
function partsOf(content: string, findings: Findings['findings']) {
  const parts: { text: string; isFound: boolean }[] = [];
  let at = 0;
  for (const { start, end } of findings) {
    const from = Math.max(start, at);
    if (from >= end) continue;
    if (from > at) parts.push({ text: content.slice(at, from), isFound: false });
    parts.push({ text: content.slice(from, end), isFound: true });
    at = end;
  }
  if (at < content.length) parts.push({ text: content.slice(at), isFound: false });
  return parts;
}
