import { Group, Pill, TextInput } from '@mantine/core';
import { withTyped } from './document-types.js';

interface TagsFieldProps {
  tags: readonly string[];
  /** Typed text that is no tag yet. */
  typed: string;
  readOnly: boolean;
  onChange: (change: { tags?: string[]; typedTags?: string }) => void;
}

/** A field with removable tags. Enter, a comma and leaving the field add the typed tag. */
export function TagsField({ tags, typed, readOnly, onChange }: TagsFieldProps) {
  const enter = () => {
    if (typed.trim() !== '') onChange({ tags: withTyped(tags, typed), typedTags: '' });
  };
  return (
    <div>
      <TextInput
        label="Tags"
        placeholder={readOnly ? '' : 'Add a tag'}
        value={typed}
        readOnly={readOnly}
        onChange={({ currentTarget }) => {
          onChange({ typedTags: currentTarget.value });
        }}
        onBlur={enter}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '') onChange({ tags: tags.slice(0, -1) });
          if (typed.trim() === '' || (event.key !== 'Enter' && event.key !== ',')) return;
          event.preventDefault();
          enter();
        }}
      />
      <Group gap={6} mt={6}>
        {tags.map((tag) => (
          <Pill
            key={tag}
            withRemoveButton={!readOnly}
            removeButtonProps={{ 'aria-label': `Remove ${tag}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => {
              onChange({ tags: tags.filter((one) => one !== tag) });
            }}
          >
            {tag}
          </Pill>
        ))}
      </Group>
    </div>
  );
}
