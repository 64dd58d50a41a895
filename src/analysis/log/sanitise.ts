/** Removes what a log tells about the machine: addresses, paths and host names. */

/**
 * Addresses in the kernel's half of the address space, as dmesg and the verifier print them. The
 * bounds and masks of a register's value are no addresses.
 */
const KERNEL_ADDRESS =
  /(?<![;=(]|; )\b(0x)?ffff(?:[89a-e][0-9a-f]{3}|ffff(?=[89a-e]))[0-9a-f]{8}\b/g;

/** Address of a map or of data in a load of 64 bits: `(18) r1 = 0x7f0012345678`. */
const LOADED_ADDRESS = /(\(18\) r\d{1,2} = )0x[0-9a-f]{9,16}\b/g;

/** Absolute path of two names or more, with the character before it; the last name is kept. */
const PATH = /(^|[\s"'`(=:,[])((?:\/[\w.+@~-]{1,255}){1,64}\/)([\w.+@~-]{0,255})/g;

/** Paths that are the same on each machine. */
const COMMON_PATH = /^\/(?:sys|proc|dev)\//;

/** Host name after the time that journald and syslog write, before the name of the program. */
const HOST =
  /^((?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.,]{8,18}(?:Z|[+-]\d\d:?\d\d)?) )[\w.-]{1,255}(?= [^\s:]{1,128}: )/;

/** Returns a line of a log without kernel addresses, absolute paths and the logger's host name. */
export function sanitised(line: string): string {
  return line
    .replace(HOST, '$1host')
    .replace(LOADED_ADDRESS, '$10x…')
    .replace(KERNEL_ADDRESS, '$1…')
    .replace(PATH, (whole, before: string, folder: string, name: string) =>
      COMMON_PATH.test(folder) ? whole : `${before}…/${name}`,
    );
}
