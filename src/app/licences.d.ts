/** Module that `vite.config.ts` generates: the licences of the packages in the page. */
declare module 'virtual:licences' {
  type LicenceText = {
    readonly licence: string;
    readonly text: string;
    /** Packages with this licence, each as `name version`. */
    readonly packages: readonly string[];
  };
  const licences: readonly LicenceText[];
  export default licences;
}
