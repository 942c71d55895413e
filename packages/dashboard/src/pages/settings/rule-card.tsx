import {
  Badge,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { Icon } from '../../components/icons.js';
import { RuleSample, useRuleTest } from './rule-sample.js';
import classes from './settings.module.css';
import {
  fieldsOf,
  KIND_OPTIONS,
  LIST_OF,
  sampleFor,
  withKind,
  type EditedRule,
  type RuleKind,
} from './style-rule-form.js';
import { ruleInWords, SEVERITY_COLORS, type StyleRule } from './style-rules.js';

/** A problem of a rule, as the service reports it. `field` is relative to the rule. */
export interface RuleProblem {
  field: string;
  issue: string;
}

interface RuleCardProps {
  rule: EditedRule;
  /** The problems of the last attempt to save. */
  problems: readonly RuleProblem[];
  isOpen: boolean;
  /** True to focus the first field, for a rule that was just added. */
  isNew: boolean;
  onToggle: () => void;
  onChange: (rule: EditedRule) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** A rule: a line that unfolds, its fields, and a sample text with what the rule reports in it. */
export function RuleCard(props: RuleCardProps) {
  const { rule, problems, isOpen, isNew, onToggle, onChange, onDuplicate, onRemove } = props;
  const id = useId();
  const [sample, setSample] = useState(() => sampleFor(rule));
  const test = useRuleTest(rule, sample, isOpen);
  const all = [...problems, ...problemsOf(test.failure)];
  const hasFindings = rule.kind !== 'accepted';
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNew) first.current?.focus();
  }, [isNew]);
  return (
    <div className={classes.rule} role="group" aria-labelledby={id}>
      <h3 className={classes.ruleHead}>
        <button type="button" id={id} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'down' : 'right'} />
          <code>{rule.id === '' ? 'No ID' : rule.id}</code>
          <span className={classes.ruleWords}>{ruleInWords(rule as unknown as StyleRule)}</span>
          {all.length > 0 ? (
            <Badge color="red">Problem</Badge>
          ) : (
            hasFindings && <Badge color={SEVERITY_COLORS[rule.severity]}>{rule.severity}</Badge>
          )}
        </button>
      </h3>
      {isOpen && (
        <div className={classes.ruleBody}>
          <Stack gap="sm">
            <Fields rule={rule} onChange={onChange} problems={all} first={first} />
            <Group gap="xs">
              <Button size="xs" variant="default" onClick={onDuplicate}>
                Duplicate rule
              </Button>
              <Button size="xs" variant="default" onClick={onRemove}>
                Remove rule
              </Button>
            </Group>
          </Stack>
          {hasFindings ? (
            <RuleSample content={sample} onChange={setSample} test={test} />
          ) : (
            <Text size="sm">No rule reports these words, and spelling accepts them.</Text>
          )}
        </div>
      )}
    </div>
  );
}

/** Returns the problems of a test, which contains only this rule. */
function problemsOf(failure: ReturnType<typeof useRuleTest>['failure']): RuleProblem[] {
  const { problems = [] } = failure?.details ?? {};
  return problems
    .filter(({ field }) => field.startsWith('rules[0].'))
    .map(({ field, issue }) => ({ field: field.slice('rules[0].'.length), issue }));
}

interface FieldsProps {
  rule: EditedRule;
  onChange: (rule: EditedRule) => void;
  problems: readonly RuleProblem[];
  first: RefObject<HTMLInputElement | null>;
}

function Fields({ rule, onChange, problems, first }: FieldsProps) {
  const set = (changes: Partial<EditedRule>) => {
    onChange({ ...rule, ...changes });
  };
  const problemOf = (name: string) =>
    problems.find(({ field }) => field === name || field.startsWith(`${name}[`))?.issue;
  const known = new Set(fieldsOf(rule.kind));
  const others = problems.filter(({ field }) => !known.has(field.replace(/\[.*/, '')));
  return (
    <>
      <TextInput
        ref={first}
        label="Rule ID"
        description="Lowercase letters, digits, dots, hyphens and underscores"
        value={rule.id}
        error={problemOf('id')}
        onChange={({ currentTarget }) => {
          set({ id: currentTarget.value });
        }}
      />
      <Group gap="sm" grow align="flex-start">
        <NativeSelect
          label="Kind"
          data={KIND_OPTIONS}
          value={rule.kind}
          onChange={({ currentTarget }) => {
            onChange(withKind(rule, currentTarget.value as RuleKind));
          }}
        />
        {rule.kind !== 'accepted' && (
          <NativeSelect
            label="Severity"
            data={['error', 'warning', 'style']}
            value={rule.severity}
            error={problemOf('severity')}
            onChange={({ currentTarget }) => {
              set({ severity: currentTarget.value as EditedRule['severity'] });
            }}
          />
        )}
      </Group>
      <KindFields rule={rule} set={set} problemOf={problemOf} />
      {rule.kind !== 'accepted' && (
        <TextInput
          label="Message"
          description="Leave empty for a standard message"
          value={rule.message ?? ''}
          error={problemOf('message')}
          onChange={({ currentTarget: { value } }) => {
            set({ message: value === '' ? null : value });
          }}
        />
      )}
      {others.map(({ field, issue }) => (
        <Text size="sm" c="red" key={`${field} ${issue}`}>
          {field}: {issue}
        </Text>
      ))}
    </>
  );
}

interface KindFieldsProps {
  rule: EditedRule;
  set: (changes: Record<string, unknown>) => void;
  problemOf: (name: string) => string | undefined;
}

/** Fields for rules of one kind. */
function KindFields({ rule, set, problemOf }: KindFieldsProps) {
  switch (rule.kind) {
    case 'replacement':
      return (
        <>
          <WordList rule={rule} label="Words or phrases" set={set} problemOf={problemOf} />
          <TextInput
            label="Replace with"
            description="Leave empty to suggest removing the words"
            value={rule['to'] as string}
            error={problemOf('to')}
            onChange={({ currentTarget }) => {
              set({ to: currentTarget.value });
            }}
          />
        </>
      );
    case 'banned':
    case 'accepted':
      return <WordList rule={rule} label="Words or phrases" set={set} problemOf={problemOf} />;
    case 'pattern':
      return (
        <>
          <Pattern rule={rule} set={set} problemOf={problemOf} />
          <Checkbox
            label="Suggest a replacement"
            checked={rule['replacement'] !== null}
            onChange={({ currentTarget }) => {
              set({ replacement: currentTarget.checked ? '' : null });
            }}
          />
          {rule['replacement'] !== null && (
            <TextInput
              label="Replace with"
              description="Leave empty to suggest removing the match"
              value={rule['replacement'] as string}
              error={problemOf('replacement')}
              onChange={({ currentTarget }) => {
                set({ replacement: currentTarget.value });
              }}
            />
          )}
        </>
      );
    case 'occurrence':
      return (
        <>
          <Pattern rule={rule} set={set} problemOf={problemOf} />
          <Group gap="sm" grow align="flex-start">
            <TextInput
              label="At most"
              inputMode="numeric"
              value={typeof rule['max'] === 'number' ? rule['max'].toFixed(0) : ''}
              error={problemOf('max')}
              onChange={({ currentTarget }) => {
                const digits = currentTarget.value.replaceAll(/\D/g, '').slice(0, 9);
                set({ max: digits === '' ? null : Number(digits) });
              }}
            />
            <NativeSelect
              label="In each"
              data={['sentence', 'paragraph']}
              value={rule['scope'] as string}
              error={problemOf('scope')}
              onChange={({ currentTarget }) => {
                set({ scope: currentTarget.value });
              }}
            />
          </Group>
        </>
      );
  }
}

function WordList({ rule, label, set, problemOf }: KindFieldsProps & { label: string }) {
  const name = LIST_OF[rule.kind as keyof typeof LIST_OF];
  const lines = rule[name] as readonly string[];
  const isEmpty = lines.every((line) => line.trim() === '');
  const problem = problemOf(name);
  return (
    <Textarea
      label={label}
      description="One per line"
      rows={Math.min(12, Math.max(3, lines.length + 1))}
      value={lines.join('\n')}
      error={problem !== undefined && isEmpty ? 'Enter a word or phrase.' : problem}
      onChange={({ currentTarget: { value } }) => {
        set({ [name]: value === '' ? [] : value.split('\n') });
      }}
    />
  );
}

function Pattern({ rule, set, problemOf }: KindFieldsProps) {
  return (
    <TextInput
      className={classes.code ?? ''}
      label="Pattern"
      description="RE2 syntax. Upper and lower case match."
      spellCheck={false}
      value={rule['pattern'] as string}
      error={problemOf('pattern')}
      onChange={({ currentTarget }) => {
        set({ pattern: currentTarget.value });
      }}
    />
  );
}
