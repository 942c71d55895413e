import { ActionIcon, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { TextFilter } from '../../components/filters.js';
import { Icon } from '../../components/icons.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf, formatCount } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useSearchState } from '../../search-state.js';
import { Form } from '../people/form.js';
import classes from './settings.module.css';

/** Others are found by searching. */
const MOST_SHOWN = 300;

/** Words and names that all rules accept. */
export function DictionaryTab() {
  const { id, api } = useAccount();
  const dictionary = useQuery({
    queryKey: [id, 'dictionary'],
    queryFn: () => dataOf(api.GET('/v1/dictionary')),
  });
  return (
    <Stack>
      <AddWords />
      {dictionary.data ? (
        <Words words={dictionary.data.words} />
      ) : dictionary.error ? (
        <FailureAlert error={dictionary.error} onRetry={() => void dictionary.refetch()} />
      ) : (
        <LoadingLines rows={4} height={28} />
      )}
    </Stack>
  );
}

const WHY_NOT = "Your role can't change the dictionary.";

function AddWords() {
  const { id, api, may } = useAccount();
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const words = text
    .split(/[\n,;]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const add = useMutation({
    mutationFn: () => dataOf(api.POST('/v1/dictionary/add', { body: { words } })),
    onSuccess: (dictionary) => {
      showDone(`${countOf(words.length, 'word')} added to the dictionary.`);
      setText('');
      queryClient.setQueryData([id, 'dictionary'], dictionary);
    },
  });
  const mayWrite = may('documents:write');
  return (
    <Section title="Add words">
      <Form
        submit="Add words"
        submission={add}
        disabled={words.length === 0}
        whyNot={mayWrite ? undefined : WHY_NOT}
        onSubmit={() => {
          add.mutate();
        }}
      >
        <Textarea
          label="Words"
          description="One per line or separated by commas. Lowercase words match any case. Other words match exactly."
          rows={3}
          spellCheck={false}
          disabled={!mayWrite}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
        {!mayWrite && (
          <Text size="sm" c="dimmed">
            {WHY_NOT}
          </Text>
        )}
      </Form>
    </Section>
  );
}

function Words({ words }: { words: readonly string[] }) {
  const { id, api, may } = useAccount();
  const queryClient = useQueryClient();
  const [{ search = '' }] = useSearchState();
  const remove = useMutation({
    mutationFn: (word: string) =>
      dataOf(api.POST('/v1/dictionary/remove', { body: { words: [word] } })),
    onSuccess: (dictionary, word) => {
      showDone(`${word} removed from the dictionary.`);
      queryClient.setQueryData([id, 'dictionary'], dictionary);
    },
    onError: showFailure,
  });
  if (words.length === 0) {
    return (
      <EmptyState sentence="No words yet. Add product names and terms that analyses should accept." />
    );
  }
  const found = words.filter((word) => word.toLowerCase().includes(search.toLowerCase()));
  const mayWrite = may('documents:write');
  return (
    <Section title="Dictionary">
      <Stack>
        <TextFilter label="Search" name="search" search />
        <Text size="sm" c="dimmed" role="status">
          {found.length > MOST_SHOWN
            ? `The first ${formatCount(MOST_SHOWN)} of ${countOf(found.length, 'word')}. Search to see others.`
            : countOf(found.length, 'word')}
        </Text>
        <ul className={classes.words} aria-label="Words">
          {found.slice(0, MOST_SHOWN).map((word) => (
            <li key={word} className={classes.word}>
              {word}
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${word}`}
                title={mayWrite ? undefined : WHY_NOT}
                disabled={!mayWrite}
                onClick={() => {
                  remove.mutate(word);
                }}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      </Stack>
    </Section>
  );
}
