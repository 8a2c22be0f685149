package io.volume4j.inmemory.mount;

import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.fault.ScriptedCalls;
import io.volume4j.spi.CallContext;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The calls to the machine: through the fault script, with each effect under the machine's monitor. Thread-safe. */
final class MachineCalls {
    private final Machine machine;
    private final String node;
    private final ScriptedCalls scripted;

    MachineCalls(Machine machine, String node, ScriptedCalls scripted) {
        this.machine = machine;
        this.node = node;
        this.scripted = scripted;
    }

    void make(String call, Path subject, Runnable effect) {
        make(call, subject, null, effect);
    }

    void make(String call, Path subject, @Nullable CallContext context, Runnable effect) {
        scripted.run(
                site(call, subject),
                context,
                () -> locked(() -> {
                    effect.run();
                    return true;
                }));
    }

    /** A call that can be interrupted half-way. */
    void make(String call, Path subject, CallContext context, Runnable beginning, Runnable rest) {
        scripted.run(
                site(call, subject),
                context,
                () -> locked(() -> {
                    beginning.run();
                    return true;
                }),
                () -> locked(() -> {
                    rest.run();
                    return true;
                }));
    }

    /** A call whose effect the test implements; it may call the machine. */
    <T> T run(String call, Path subject, CallContext context, Supplier<T> effect) {
        return scripted.run(site(call, subject), context, effect);
    }

    <T> T get(String call, Path subject, Supplier<T> effect) {
        return scripted.run(site(call, subject), null, () -> locked(effect));
    }

    private <T> T locked(Supplier<T> effect) {
        synchronized (machine) {
            return effect.get();
        }
    }

    private CallSite site(String call, Path subject) {
        return new CallSite(call, subject.toString(), node);
    }
}
