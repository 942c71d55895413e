import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog, type CloseDialog } from '../../../components/dialog.js';
import { problemOf } from '../../people/person-fields.js';
import type { EnhanceRequest, useSuggestions } from './use-suggestions.js';

type Goal = NonNullable<EnhanceRequest['goals']>[number];

/** Goals that rules can suggest changes for. */
const OFFLINE_GOALS: readonly (readonly [Goal, string])[] = [
  ['correct', 'Correct mistakes'],
  ['consistency', 'Make spelling and style consistent'],
  ['simplify', 'Use plain words and shorter sentences'],
  ['title', 'Propose a title'],
];

/** Goals that need a language model. */
const MODEL_GOALS: readonly (readonly [Goal, string])[] = [
  ['clarity', 'Make unclear passages clear'],
  ['rewrite', 'Rewrite'],
  ['shorten', 'Shorten'],
  ['expand', 'Expand'],
  ['tone', 'Change the tone'],
  ['translate', 'Translate'],
  ['summarise', 'Summarize'],
  ['custom', 'Follow my instructions'],
];

interface GoalsDialogProps {
  /** True if the account lets a language model read its texts. */
  hasModel: boolean;
  suggest: ReturnType<typeof useSuggestions>['suggest'];
  onClose: CloseDialog;
}

/** Asks for the goals of suggestions. */
export default function GoalsDialog({ hasModel, suggest, onClose }: GoalsDialogProps) {
  const [goals, setGoals] = useState<readonly Goal[]>(['correct']);
  const [tone, setTone] = useState('');
  const [targetLanguage, setTargetLanguage] = useState('');
  const [instructions, setInstructions] = useState('');
  const needed = [
    goals.length === 0,
    goals.includes('tone') && tone.trim() === '',
    goals.includes('translate') && targetLanguage.trim() === '',
    goals.includes('custom') && instructions.trim() === '',
  ];
  return (
    <FormDialog
      title="Get suggestions"
      submit="Get suggestions"
      submission={suggest}
      disabled={needed.includes(true)}
      onClose={onClose}
      onSubmit={() => {
        const body = {
          goals: [...goals],
          ...(goals.includes('tone') && { tone: tone.trim() }),
          ...(goals.includes('translate') && { targetLanguage: targetLanguage.trim() }),
          ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
        };
        suggest.mutate(body, { onSuccess: () => void onClose() });
      }}
    >
      <Checkbox.Group
        label="Goals"
        value={[...goals]}
        onChange={(values) => {
          setGoals(values);
        }}
      >
        <Stack gap="xs" mt="xs">
          {[...OFFLINE_GOALS, ...(hasModel ? MODEL_GOALS : [])].map(([value, name]) => (
            <Checkbox key={value} value={value} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
      {goals.includes('tone') && (
        <GoalField
          label="Tone"
          placeholder="Friendly"
          value={tone}
          error={problemOf(suggest.error, 'tone')}
          onChange={setTone}
        />
      )}
      {goals.includes('translate') && (
        <GoalField
          label="Target language"
          placeholder="German"
          value={targetLanguage}
          error={problemOf(suggest.error, 'targetLanguage')}
          onChange={setTargetLanguage}
        />
      )}
      {hasModel && (
        <Textarea
          label="Instructions"
          placeholder="Keep the product names as they are."
          required={goals.includes('custom')}
          autosize
          minRows={2}
          maxLength={4_000}
          value={instructions}
          error={problemOf(suggest.error, 'instructions')}
          onChange={({ currentTarget }) => {
            setInstructions(currentTarget.value);
          }}
        />
      )}
    </FormDialog>
  );
}

interface GoalFieldProps {
  label: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** What a goal requires. */
function GoalField({ onChange, ...field }: GoalFieldProps) {
  return (
    <TextInput
      {...field}
      required
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}
