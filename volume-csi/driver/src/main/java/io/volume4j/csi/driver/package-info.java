/**
 * A CSI driver for tests, which can start, break and query it. May depend on all packages below it. Only programs and
 * tests may depend on it, never the client that it checks.
 */
package io.volume4j.csi.driver;
