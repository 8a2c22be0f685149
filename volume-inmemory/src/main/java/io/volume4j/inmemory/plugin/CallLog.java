package io.volume4j.inmemory.plugin;

import io.volume4j.spi.CallContext;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The latest calls, in the order of their begins. Thread-safe. */
final class CallLog {
    private final Map<Long, PluginCall> calls = new LinkedHashMap<>();
    private final int most;
    private long begun;

    CallLog(int most) {
        this.most = most;
    }

    synchronized PluginCall begin(InMemoryStorage.Call made, CallContext context) {
        begun++;
        PluginCall call = new PluginCall(
                begun,
                made.site(),
                made.driver(),
                made.podUid(),
                made.request(),
                context.operationId(),
                context.attempt(),
                "");
        if (most > 0) {
            calls.put(begun, call);
            if (calls.size() > most) {
                Iterator<Long> oldest = calls.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
        return call;
    }

    synchronized void end(long number, String outcome) {
        calls.computeIfPresent(number, (unused, call) -> call.endedAs(outcome));
    }

    synchronized List<PluginCall> all() {
        return List.copyOf(calls.values());
    }

    synchronized void clear() {
        calls.clear();
    }
}
