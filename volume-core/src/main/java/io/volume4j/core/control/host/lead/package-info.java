/**
 * Leadership of controllers: whether this process leads and in which term, how long its lease lasts, which intents it leaves to a
 * newer leader, and which programs earlier processes left running. It knows neither the rest of the host nor a feature.
 */
package io.volume4j.core.control.host.lead;
