/**
 * Facts about objects of the cluster that several features need. The package reads the object cache and the model. It knows neither
 * a feature nor the rest of the host.
 */
package io.volume4j.core.control.host.facts;
