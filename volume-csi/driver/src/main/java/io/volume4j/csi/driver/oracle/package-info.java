/** What a caller did, what of it was wrong, and what exists because of it. Depends on nothing of ours. */
package io.volume4j.csi.driver.oracle;
