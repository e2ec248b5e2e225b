//! The one place where the page makes a Trusted Types policy. It knows a single address: that of the script which reads
//! PDFs, the page's only worker. The server names the policy in its content security policy.

/** The name of that script, beside this one; the build writes it. */
declare const __PDF_WORKER__: string;

interface Policy {
  createScriptURL: (address: string) => string;
}

interface PolicyFactory {
  createPolicy: (name: string, rules: Policy) => Policy;
}

let policy: Policy | undefined;

/** Starts a worker that reads PDFs. */
export function startPdfWorker(): Worker {
  const only = new URL(__PDF_WORKER__, import.meta.url).href;
  const rules: Policy = {
    createScriptURL(address) {
      if (address !== only) throw new TypeError(address);
      return address;
    },
  };
  // Browsers that do not know Trusted Types take the address as it is.
  policy ??= (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy("sb-worker", rules) ?? rules;
  return new Worker(policy.createScriptURL(only), { type: "module", name: "pdf" });
}
