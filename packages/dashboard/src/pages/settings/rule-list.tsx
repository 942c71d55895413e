import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { RuleCard, type RuleProblem } from './rule-card.js';
import {
  KIND_OPTIONS,
  RULE_EXAMPLES,
  withFreeId,
  type EditedRule,
  type RuleKind,
} from './style-rule-form.js';

/** A problem with the key of its rule. */
export interface KeyedProblem extends RuleProblem {
  key: number;
}

interface RuleListProps {
  rules: readonly EditedRule[];
  /** Keys of the rules, in the same order, which stay the same while rules are added and removed. */
  keys: readonly number[];
  problems: readonly KeyedProblem[];
  onChange: (rules: readonly EditedRule[], keys: readonly number[]) => void;
}

/** A removed rule and its position. */
interface Removed {
  rule: EditedRule;
  key: number;
  index: number;
}

/** The rules of a version as a list of forms. Their order has no effect on analyses, so it can't be changed. */
export function RuleList({ rules, keys, problems, onChange }: RuleListProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(keys.length === 1 ? keys : []),
  );
  const [added, setAdded] = useState<number>();
  const [removed, setRemoved] = useState<readonly Removed[]>([]);
  const [kind, setKind] = useState<RuleKind>('replacement');
  useOpenProblems(problems, setOpen);

  const insert = (index: number, rule: EditedRule) => {
    const key = nextKey(keys, removed);
    onChange(rules.toSpliced(index, 0, withFreeId(rule, rules)), keys.toSpliced(index, 0, key));
    setOpen(new Set([...open, key]));
    setAdded(key);
  };
  const remove = (index: number) => {
    const [rule, key] = [rules[index], keys[index]];
    if (!rule || key === undefined) return;
    onChange(rules.toSpliced(index, 1), keys.toSpliced(index, 1));
    setRemoved([...removed, { rule, key, index }]);
  };
  const undo = ({ rule, key, index }: Removed) => {
    onChange(rules.toSpliced(index, 0, rule), keys.toSpliced(index, 0, key));
    setRemoved(removed.slice(0, -1));
  };
  const last = removed.at(-1);
  return (
    <Stack gap="xs">
      {rules.length === 0 && (
        <Text size="sm">No rules. Analyses with this version report nothing.</Text>
      )}
      {rules.map((rule, index) => {
        const key = keys[index] ?? index;
        return (
          <RuleCard
            key={key}
            rule={rule}
            problems={problems.filter((problem) => problem.key === key)}
            isOpen={open.has(key)}
            isNew={key === added}
            onToggle={() => {
              const next = new Set(open);
              if (!next.delete(key)) next.add(key);
              setOpen(next);
            }}
            onChange={(changed) => {
              onChange(rules.with(index, changed), keys);
            }}
            onDuplicate={() => {
              insert(index + 1, rule);
            }}
            onRemove={() => {
              remove(index);
            }}
          />
        );
      })}
      {last && (
        <RemovedNotice
          key={last.key}
          id={last.rule.id}
          onUndo={() => {
            undo(last);
          }}
        />
      )}
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label="Kind of rule"
          data={KIND_OPTIONS}
          value={kind}
          onChange={({ currentTarget }) => {
            setKind(currentTarget.value as RuleKind);
          }}
        />
        <Button
          variant="default"
          onClick={() => {
            insert(rules.length, RULE_EXAMPLES[kind]);
          }}
        >
          Add rule
        </Button>
      </Group>
    </Stack>
  );
}

function nextKey(keys: readonly number[], removed: readonly Removed[]): number {
  return Math.max(-1, ...keys, ...removed.map(({ key }) => key)) + 1;
}

/** Opens rules with problems when a save has failed. */
function useOpenProblems(
  problems: readonly KeyedProblem[],
  setOpen: (change: (open: ReadonlySet<number>) => ReadonlySet<number>) => void,
): void {
  const known = useRef(problems);
  useEffect(() => {
    // Fixing a problem removes it from the list, which is not a new failure.
    const isNew = problems.some((problem) => !known.current.includes(problem));
    known.current = problems;
    if (isNew) setOpen((open) => new Set([...open, ...problems.map(({ key }) => key)]));
  }, [problems, setOpen]);
}

function RemovedNotice({ id, onUndo }: { id: string; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  // The focused button was removed.
  useEffect(() => {
    undo.current?.focus();
  }, []);
  return (
    <Alert color="gray" role="status">
      <Group gap="xs">
        <Text size="sm">Rule {id} removed.</Text>
        <Button ref={undo} size="compact-sm" variant="default" onClick={onUndo}>
          Undo
        </Button>
      </Group>
    </Alert>
  );
}
