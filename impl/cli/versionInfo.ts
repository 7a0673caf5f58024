import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { minimumVersions } from 'polgate-service/tasks/versions.ts'

/** What `polgate version info` prints. */
export async function versionInfo(): Promise<Record<string, string>> {
  return {
    service: packageVersion,
    policy: `>= ${minimumVersions.policy}, same major`,
    policyData: `>= ${minimumVersions.policyData}, same major`,
    oracleInterface: `${defaultBrand.witPackage}@0.2.0`,
    explorer: 'v1',
    regoEngine: '0.9.0, OPA v1.2.0 subset',
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  }
}
