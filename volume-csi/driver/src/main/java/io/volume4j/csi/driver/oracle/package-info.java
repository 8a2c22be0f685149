/** What a caller did, and what of it was wrong. Depends on nothing of ours. */
package io.volume4j.csi.driver.oracle;
