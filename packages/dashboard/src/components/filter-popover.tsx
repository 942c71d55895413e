import { Button, Popover } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './filters.module.css';

interface FilterPopoverProps {
  /** Text of the button, and accessible name of what it opens. */
  name: string;
  leftSection?: ReactNode;
  rightSection?: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens the choices of a filter. */
export function FilterPopover({ name, leftSection, rightSection, children }: FilterPopoverProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={272}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={leftSection}
          rightSection={rightSection}
          aria-haspopup="dialog"
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {name}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover ?? ''} aria-label={name}>
        {children(() => {
          setOpen(false);
        })}
      </Popover.Dropdown>
    </Popover>
  );
}
