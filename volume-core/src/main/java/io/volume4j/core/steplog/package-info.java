/**
 * Logs the outcomes of steps, and the starts and stops of controllers. Depends on the engine and the SPI; every
 * reconciler may depend on it.
 */
package io.volume4j.core.steplog;
