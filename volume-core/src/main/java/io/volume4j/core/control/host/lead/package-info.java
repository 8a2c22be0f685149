/**
 * Leadership of controllers: whether this process leads and in which term, how long its lease lasts, what it leaves to the process that leads
 * after it, and what processes of earlier terms left running. It knows neither the rest of the host nor a feature.
 */
package io.volume4j.core.control.host.lead;
