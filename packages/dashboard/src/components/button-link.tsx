import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { forwardRef, type AnchorHTMLAttributes } from 'react';

type PlainButtonProps = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

const PlainButton = forwardRef<HTMLAnchorElement, PlainButtonProps>((props, ref) => (
  <Button component="a" {...props} ref={ref} />
));
PlainButton.displayName = 'PlainButton';

/** A link to another page that looks like a button, for the main action of a page. */
export const ButtonLink = createLink(PlainButton);
