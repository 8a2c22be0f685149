/** Which call goes wrong, when and how: rules as text and as values. Depends on nothing of ours, and causes no effects. */
package io.volume4j.csi.driver.fault;
