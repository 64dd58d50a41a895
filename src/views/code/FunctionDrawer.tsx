import { useState } from 'react';
import { functionAt } from '#analysis/objects/functions.ts';
import { sectionName } from '#model/sections.ts';
import { Disclosure } from '#ui/Disclosure.tsx';
import { Name } from '#views/parts/Name.tsx';
import styles from './FunctionDrawer.module.css';
import { FunctionPicker, type FunctionPickerProps } from './FunctionPicker.tsx';

/** The function picker on a narrow screen: folded away behind the name of the function that is shown. */
export function FunctionDrawer(props: Omit<FunctionPickerProps, 'onPicked'>) {
  const [isOpen, setIsOpen] = useState(false);
  const { model, section, place } = props;
  const func = place === null ? null : functionAt(model, place.section, place.insnOff);
  return (
    <div className={styles.drawer}>
      <Disclosure
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        title={
          <>
            <span className={styles.word}>Functions</span>{' '}
            <Name text={func?.name ?? sectionName(model.sections, section)} />
          </>
        }
      >
        <div className={styles.list}>
          <FunctionPicker {...props} onPicked={() => setIsOpen(false)} />
        </div>
      </Disclosure>
    </div>
  );
}
