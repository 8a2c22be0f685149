/**
 * A CSI driver that a test starts, breaks and questions. May depend on everything below it; nothing but programs and tests
 * may depend on it, least of all the client that it is there to judge.
 */
package io.volume4j.csi.driver;
