package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.CallContext;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The latest calls, in the order in which they began. Thread-safe. */
final class CallLog {
    private final Map<Long, PluginCall> calls = new LinkedHashMap<>();
    private final int most;
    private long begun;

    CallLog(int most) {
        this.most = most;
    }

    synchronized long begin(CallSite site, String podUid, Object request, CallContext context) {
        begun++;
        if (most > 0) {
            calls.put(
                    begun, new PluginCall(begun, site, podUid, request, context.operationId(), context.attempt(), ""));
            if (calls.size() > most) {
                Iterator<Long> oldest = calls.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
        return begun;
    }

    synchronized void end(long number, String outcome) {
        calls.computeIfPresent(
                number,
                (unused, call) -> new PluginCall(
                        call.number(),
                        call.site(),
                        call.podUid(),
                        call.request(),
                        call.operationId(),
                        call.attempt(),
                        outcome));
    }

    synchronized List<PluginCall> all() {
        return List.copyOf(calls.values());
    }

    synchronized void clear() {
        calls.clear();
    }
}
