/** The options of a driver. Depends on no other package of the project. */
package io.volume4j.csi.driver.options;
