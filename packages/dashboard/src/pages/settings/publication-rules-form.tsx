import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { hashKey, useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useAccount } from '../../api/session.js';
import { AskBeforeLeaving } from '../../components/ask-before-leaving.js';
import { showDone } from '../../components/messages.js';
import { TYPES } from '../documents/document-types.js';
import { Form } from '../people/form.js';
import {
  CHECKS,
  isCovered,
  MAX_RULES,
  NEW_RULE,
  numberIn,
  withMoved,
  type PublicationRule,
} from './publication-rules.js';
import { putSettings, useSaved, type SettingsProps } from './publishing-settings.js';
import classes from './settings.module.css';

const OVERRIDES = [
  { value: 'nobody', label: 'Nobody' },
  { value: 'owner', label: 'Owners' },
  { value: 'admin', label: 'Owners and admins' },
];
const MOVES = [
  [-1, 'Move up'],
  [1, 'Move down'],
] as const;
const SMALL = { size: 'compact-sm', variant: 'default' } as const;

/** What documents need to be published. */
export function PublicationRulesForm({ settings, mayChange }: SettingsProps) {
  const { api } = useAccount();
  const saved = useSaved();
  const list = useRef<HTMLDivElement>(null);
  const [rules, setRules] = useState(settings.rules);
  const [news, setNews] = useState('');
  const save = useMutation({
    mutationFn: () => putSettings(api, { ...settings, rules }),
    onSuccess: (changed) => {
      saved(changed);
      showDone('Rules saved.');
    },
  });
  const isChanged = hashKey(rules) !== hashKey(settings.rules);
  /** Changes the list, then focuses what replaces the used button. */
  const change = (next: PublicationRule[], focused: string, sentence = '') => {
    flushSync(() => {
      setRules(next);
      setNews(sentence);
    });
    list.current?.querySelector<HTMLElement>(focused)?.focus();
  };
  return (
    <Form
      submit="Save rules"
      submission={save}
      disabled={!mayChange || !isChanged}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <Text size="sm" maw={620}>
        {rules.length === 0
          ? 'No rules: documents are published without checks.'
          : 'The first rule that applies to the type of a document decides. Types without a rule are published without checks.'}
      </Text>
      <Stack ref={list} gap="sm">
        {rules.map((rule, index) => (
          <RuleFields
            key={index}
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
              const button = `[data-rule="${String(to)}"] [data-move="${String(isEnd ? -by : by)}"]`;
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
            {...SMALL}
            data-add
            disabled={!mayChange || rules.length === MAX_RULES}
            onClick={() => {
              change([...rules, NEW_RULE], `[data-rule="${String(rules.length)}"] input`);
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

interface RuleFieldsProps {
  rule: PublicationRule;
  index: number;
  count: number;
  isCovered: boolean;
  disabled: boolean;
  onChange: (rule: PublicationRule) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function RuleFields(props: RuleFieldsProps) {
  const { rule, index, count, disabled, onChange, onMove, onRemove } = props;
  const name = `Rule ${String(index + 1)}`;
  return (
    <div className={classes.rule} role="group" aria-label={name} data-rule={index}>
      <Stack gap="sm" p="sm">
        <Group gap="xs">
          <Text size="sm" fw={500} flex="1 0 auto">
            {name}
          </Text>
          {MOVES.map(([by, label]) => (
            <Button
              {...SMALL}
              key={by}
              data-move={by}
              disabled={disabled || index + by < 0 || index + by === count}
              onClick={() => {
                onMove(by);
              }}
            >
              {label}
            </Button>
          ))}
          <Button {...SMALL} disabled={disabled} onClick={onRemove}>
            Remove
          </Button>
        </Group>
        <Checkbox.Group
          label="Types of documents"
          description="Select none for all types."
          value={rule.types ?? []}
          onChange={(chosen) => {
            const types = TYPES.map(([type]) => type).filter((type) => chosen.includes(type));
            onChange({ ...rule, types: types.length === 0 ? null : types });
          }}
        >
          <Group gap="md" mt={6}>
            {TYPES.map(([value, label]) => (
              <Checkbox key={value} value={value} label={label} disabled={disabled} />
            ))}
          </Group>
        </Checkbox.Group>
        <div className={classes.checks}>
          {CHECKS.map(([check, label, max]) => (
            <TextInput
              key={check}
              label={label}
              inputMode="numeric"
              placeholder="Not checked"
              disabled={disabled}
              value={rule.checks[check] ?? ''}
              onChange={({ currentTarget: { value } }) => {
                const checks = { ...rule.checks, [check]: numberIn(value, max) };
                onChange({ ...rule, checks });
              }}
            />
          ))}
          <NativeSelect
            label="Can publish despite problems"
            data={OVERRIDES}
            disabled={disabled}
            value={rule.override}
            onChange={({ currentTarget: { value } }) => {
              onChange({ ...rule, override: value as PublicationRule['override'] });
            }}
          />
        </div>
        {props.isCovered && (
          <Text size="sm">No effect: the rules above apply to all these types.</Text>
        )}
      </Stack>
    </div>
  );
}
