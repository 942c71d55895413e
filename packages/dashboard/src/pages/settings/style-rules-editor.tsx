import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure, Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { CopyButton } from '../../components/copy-button.js';
import { showDone } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { useAllowance } from '../../components/use-allowance.js';
import { useSearchState } from '../../search-state.js';
import { Form } from '../people/form.js';
import { RuleList, type KeyedProblem } from './rule-list.js';
import classes from './settings.module.css';
import {
  parseRules,
  RULE_EXAMPLES,
  withoutBlankLines,
  writeRules,
  type EditedRule,
} from './style-rule-form.js';
import { WRITE_RULES, type StyleRules } from './style-rules.js';
import { useDraft } from './use-draft.js';

type CreateStyleRules = components['schemas']['CreateStyleRules'];

const FEWEST_LINES = 8;
const MOST_LINES = 28;
const NO_PROBLEMS: readonly KeyedProblem[] = [];

/** Edits a new version based on the rules of another one, as a form or as JSON. The service checks the rules. */
export function StyleRulesEditor({ from }: { from: StyleRules | undefined }) {
  const { id, api } = useAccount();
  const queryClient = useQueryClient();
  const [, change] = useSearchState();
  const allowance = useAllowance(WRITE_RULES);
  const begin = writeRules(from?.rules ?? [RULE_EXAMPLES.replacement]);
  const draft = useDraft(`style-rules:${id}:${String(from?.version ?? 'new')}`, begin);
  const parsed = useMemo(() => parseRules(draft.text), [draft.text]);
  const [isJson, setJson] = useState(parsed.rules === undefined);
  const [keys, setKeys] = useState(() => keysOf(parsed.rules));
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const save = useMutation({
    mutationFn: (rules: readonly unknown[]) => {
      const body = { rules: rules.map(withoutBlankLines) } as CreateStyleRules;
      return dataOf(api.POST('/v1/style-rules', { body }));
    },
    onMutate: () => {
      setProblems(NO_PROBLEMS);
    },
    onError: (error) => {
      setProblems(problemsByKey(error, keys));
    },
    onSuccess: async ({ version }) => {
      draft.clear();
      showDone(`Version ${String(version)} saved. Try a dry run, then activate the version.`);
      await queryClient.invalidateQueries({ queryKey: [id, 'style-rules'] });
      change({ edit: undefined, open: String(version) });
    },
  });
  const isForm = !isJson && parsed.rules !== undefined;
  const onRules = (rules: readonly EditedRule[], nextKeys: readonly number[]) => {
    const left = stillWrong(problems, parsed.rules ?? [], keys, rules, nextKeys);
    if (problems.length > 0 && left.length === 0) save.reset();
    setProblems(left);
    setKeys(nextKeys);
    draft.setText(writeRules(rules));
  };
  // The rules show their own problems.
  const error = isForm && problems.length > 0 ? notSaved(save.error, problems) : save.error;
  return (
    <Section title={from ? `New version from version ${String(from.version)}` : 'New version'}>
      <Form
        submit="Save rules"
        submission={{ isPending: save.isPending, error }}
        disabled={parsed.all === undefined}
        whyNot={allowance.title}
        beside={
          <Button
            variant="default"
            onClick={() => {
              draft.clear();
              change({ edit: undefined });
            }}
          >
            Discard rules
          </Button>
        }
        onSubmit={() => {
          if (parsed.all) save.mutate(parsed.all);
        }}
      >
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={!isForm && parsed.rules === undefined}
            onClick={() => {
              setKeys(keysOf(parsed.rules));
              setProblems(NO_PROBLEMS);
              save.reset();
              setJson(isForm);
            }}
          >
            {isForm ? 'Edit as JSON' : 'Edit as form'}
          </Button>
          <CopyButton name="Copy JSON" text={draft.text} />
        </Group>
        {isForm ? (
          <RuleList rules={parsed.rules ?? []} keys={keys} problems={problems} onChange={onRules} />
        ) : (
          <Textarea
            className={classes.code}
            label="Rules"
            description="A JSON array. Each rule needs an id, a kind and a severity (error, warning, style)."
            spellCheck={false}
            rows={linesOf(draft.text)}
            value={draft.text}
            error={parsed.problem}
            onChange={({ currentTarget }) => {
              setJson(true);
              draft.setText(currentTarget.value);
            }}
          />
        )}
        {draft.isChanged && (
          <Text size="sm" c="dimmed">
            Unsaved draft, kept in this tab.
          </Text>
        )}
      </Form>
    </Section>
  );
}

function linesOf(text: string): number {
  return Math.min(MOST_LINES, Math.max(FEWEST_LINES, text.split('\n').length));
}

function keysOf(rules: readonly unknown[] = []): readonly number[] {
  return rules.map((_, index) => index);
}

/** Returns the problems of a failure, with the keys of the rules that were sent. */
function problemsByKey(error: unknown, keys: readonly number[]): readonly KeyedProblem[] {
  if (!(error instanceof Failure)) return NO_PROBLEMS;
  const { problems, field, issue } = error.details;
  const all = problems ?? (field === undefined ? [] : [{ field, issue: issue ?? error.message }]);
  return all.flatMap((problem) => {
    const [, index, name = ''] = /^rules\[(\d+)\]\.?(.*)$/s.exec(problem.field) ?? [];
    const key = keys[Number(index)];
    return key === undefined ? [] : [{ key, field: name, issue: problem.issue }];
  });
}

function notSaved(error: unknown, problems: readonly KeyedProblem[]): Failure {
  const rules = countOf(new Set(problems.map(({ key }) => key)).size, 'rule');
  const { requestId } = asFailure(error);
  return new Failure(`Not saved. Fix the problems in ${rules}, then save again.`, 400, {
    requestId,
  });
}

/** Returns the problems of fields that have not changed since. */
function stillWrong(
  problems: readonly KeyedProblem[],
  before: readonly EditedRule[],
  keysBefore: readonly number[],
  after: readonly EditedRule[],
  keysAfter: readonly number[],
): readonly KeyedProblem[] {
  return problems.filter(({ key, field }) => {
    const was = before[keysBefore.indexOf(key)];
    const is = after[keysAfter.indexOf(key)];
    const name = field.replace(/\[.*/s, '');
    return was !== undefined && is?.[name] === was[name];
  });
}
