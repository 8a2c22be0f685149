/** What a driver is told before it starts. Depends on nothing of ours. */
package io.volume4j.csi.driver.options;
