import { ActionIcon, Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import type { components } from '../../api/v1-schema.js';
import { Icon } from '../../components/icons.js';
import { useAllowance } from '../../components/use-allowance.js';
import classes from './template.module.css';

type TemplateVariable = components['schemas']['TemplateVariable'];

const EMPTY: TemplateVariable = { name: '', required: false, default: null, description: null };

interface VariableRowsProps {
  variables: readonly TemplateVariable[];
  onChange: (variables: TemplateVariable[]) => void;
}

/** Edits the variables of a template. */
export function VariableRows({ variables, onChange }: VariableRowsProps) {
  const allowance = useAllowance('templates:write');
  const readOnly = allowance.disabled === true;
  const set = (index: number, changes: Partial<TemplateVariable>) => {
    onChange(variables.map((one, at) => (at === index ? { ...one, ...changes } : one)));
  };
  return (
    <div role="group" aria-label="Variables">
      <Text size="sm" fw={500} mb={4}>
        Variables
      </Text>
      {variables.length === 0 && (
        <Text size="sm" c="dimmed">
          No variables declared. Undeclared variables are optional.
        </Text>
      )}
      {variables.map((variable, index) => {
        const name = variable.name === '' ? `variable ${String(index + 1)}` : variable.name;
        return (
          <div key={index} className={classes.variable}>
            <TextInput
              size="xs"
              aria-label={`Variable ${String(index + 1)}`}
              placeholder="variable"
              value={variable.name}
              readOnly={readOnly}
              onChange={({ currentTarget }) => {
                set(index, { name: currentTarget.value });
              }}
            />
            <TextInput
              size="xs"
              aria-label={`Default of ${name}`}
              placeholder="Default"
              value={variable.default ?? ''}
              readOnly={readOnly}
              onChange={({ currentTarget: { value } }) => {
                set(index, { default: value === '' ? null : value });
              }}
            />
            <TextInput
              size="xs"
              aria-label={`Hint for ${name}`}
              placeholder="Hint"
              value={variable.description ?? ''}
              readOnly={readOnly}
              onChange={({ currentTarget: { value } }) => {
                set(index, { description: value === '' ? null : value });
              }}
            />
            <Checkbox
              label="Required"
              aria-label={`${name} is required`}
              checked={variable.required}
              disabled={readOnly}
              onChange={({ currentTarget }) => {
                set(index, { required: currentTarget.checked });
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove ${name}`}
              onClick={() => {
                onChange(variables.filter((_, at) => at !== index));
              }}
              {...allowance}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
          </div>
        );
      })}
      <Group mt={6}>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            onChange([...variables, EMPTY]);
          }}
          {...allowance}
        >
          Add variable
        </Button>
      </Group>
    </div>
  );
}
