import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAccount } from '../../api/session.js';
import { AskBeforeLeaving } from '../../components/ask-before-leaving.js';
import { showDone } from '../../components/messages.js';
import { TYPES } from '../documents/document-types.js';
import { Form } from '../people/form.js';
import {
  CHECKS,
  checkProblem,
  editedRules,
  isCovered,
  MAX_RULES,
  rulesOf,
  withMoved,
  withNewRule,
  type EditedPublicationRule,
} from './publication-rules.js';
import { putSettings, useSaved, type SettingsProps } from './publishing-settings.js';
import classes from './settings.module.css';

const OVERRIDES = [
  { value: 'nobody', label: 'Nobody' },
  { value: 'owner', label: 'Owners' },
  { value: 'admin', label: 'Owners and admins' },
];

/** What documents need to be published. */
export function PublicationRulesForm({ settings, mayChange }: SettingsProps) {
  const { api } = useAccount();
  const saved = useSaved();
  const list = useRef<HTMLDivElement>(null);
  const [rules, setRules] = useState(() => editedRules(settings.rules));
  const [news, setNews] = useState('');
  const save = useMutation({
    mutationFn: () => putSettings(api, { ...settings, rules: rulesOf(rules) }),
    onSuccess: (changed) => {
      saved(changed);
      showDone('Rules saved.');
    },
  });
  const isChanged = written(rules) !== written(editedRules(settings.rules));
  /** Changes the list, then focuses what replaces the used button. */
  const change = (next: readonly EditedPublicationRule[], focused: string, sentence = '') => {
    flushSync(() => {
      setRules([...next]);
      setNews(sentence);
    });
    list.current?.querySelector<HTMLElement>(focused)?.focus();
  };
  return (
    <Form
      submit="Save rules"
      submission={save}
      disabled={!mayChange || !isChanged || !rules.every(isValid)}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <Text size="sm" maw={620}>
        {rules.length === 0
          ? 'No rules: documents are published without checks.'
          : 'The first rule that applies to the type of a document decides. Types without a rule are published without checks. Published versions stay published.'}
      </Text>
      <Stack ref={list} gap="sm">
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            rule={rule}
            index={index}
            count={rules.length}
            isCovered={isCovered(rules, index)}
            disabled={!mayChange}
            onChange={(changed) => {
              setRules(rules.with(index, changed));
            }}
            onMove={(by) => {
              const to = index + by;
              const isEnd = to === 0 || to === rules.length - 1;
              const button = `[data-rule="${String(rule.key)}"] [data-move="${String(isEnd ? -by : by)}"]`;
              const sentence = `Rule ${String(index + 1)} is now rule ${String(to + 1)}.`;
              change(withMoved(rules, index, by), button, sentence);
            }}
            onRemove={() => {
              const sentence = `Rule ${String(index + 1)} removed.`;
              change(rules.toSpliced(index, 1), '[data-add]', sentence);
            }}
          />
        ))}
        <div role="status" className="visually-hidden">
          {news}
        </div>
        <Group>
          <Button
            data-add
            size="xs"
            variant="default"
            disabled={!mayChange || rules.length === MAX_RULES}
            onClick={() => {
              const next = withNewRule(rules);
              change(next, `[data-rule="${String(next.at(-1)?.key)}"] input`);
            }}
          >
            Add rule
          </Button>
        </Group>
      </Stack>
      <AskBeforeLeaving isChanged={isChanged} what="the rules" />
    </Form>
  );
}

function written(rules: readonly EditedPublicationRule[]): string {
  return JSON.stringify(rulesOf(rules));
}

function isValid({ checks }: EditedPublicationRule): boolean {
  return CHECKS.every(([name, , max]) => checkProblem(checks[name], max) === undefined);
}

interface RuleFieldsProps {
  rule: EditedPublicationRule;
  index: number;
  count: number;
  isCovered: boolean;
  disabled: boolean;
  onChange: (rule: EditedPublicationRule) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function RuleFields(props: RuleFieldsProps) {
  const { rule, index, count, disabled, onChange, onMove, onRemove } = props;
  const id = useId();
  const isEmpty = CHECKS.every(([name]) => rule.checks[name].trim() === '');
  const small = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <div className={classes.rule} role="group" aria-labelledby={id} data-rule={rule.key}>
      <Stack gap="sm" p="sm">
        <Group gap="xs">
          <Text id={id} size="sm" fw={500} flex={1}>
            Rule {index + 1}
          </Text>
          <Button
            {...small}
            data-move={-1}
            disabled={disabled || index === 0}
            onClick={() => {
              onMove(-1);
            }}
          >
            Move up
          </Button>
          <Button
            {...small}
            data-move={1}
            disabled={disabled || index === count - 1}
            onClick={() => {
              onMove(1);
            }}
          >
            Move down
          </Button>
          <Button {...small} disabled={disabled} onClick={onRemove}>
            Remove
          </Button>
        </Group>
        <Checkbox.Group
          label="Types of documents"
          description="Select none for all types."
          value={[...rule.types]}
          onChange={(types) => {
            onChange({ ...rule, types: types });
          }}
        >
          <Group gap="sm" mt={6}>
            {TYPES.map(([value, name]) => (
              <Checkbox key={value} value={value} label={name} disabled={disabled} />
            ))}
          </Group>
        </Checkbox.Group>
        <div className={classes.checks}>
          {CHECKS.map(([name, label, max]) => (
            <TextInput
              key={name}
              label={label}
              inputMode="numeric"
              placeholder="Not checked"
              disabled={disabled}
              value={rule.checks[name]}
              error={checkProblem(rule.checks[name], max)}
              onChange={({ currentTarget: { value } }) => {
                onChange({ ...rule, checks: { ...rule.checks, [name]: value } });
              }}
            />
          ))}
          <NativeSelect
            label="Can publish despite problems"
            data={OVERRIDES}
            disabled={disabled}
            value={rule.override}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...rule, override: value as EditedPublicationRule['override'] });
            }}
          />
        </div>
        {props.isCovered ? (
          <Text size="sm">No effect: the rules above apply to all these types.</Text>
        ) : (
          isEmpty && <Text size="sm">Checks nothing: these types are published as they are.</Text>
        )}
      </Stack>
    </div>
  );
}
