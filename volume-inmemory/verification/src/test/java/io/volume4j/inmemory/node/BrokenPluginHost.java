package io.volume4j.inmemory.node;

import io.volume4j.spi.plugin.PluginHost;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/** A plugin host of which each method fails, from some time on. */
public final class BrokenPluginHost {
    private BrokenPluginHost() {}

    /** The same host, which fails while the condition is true. */
    public static PluginHost of(PluginHost host, BooleanSupplier broken) {
        return (PluginHost) Proxy.newProxyInstance(
                BrokenPluginHost.class.getClassLoader(),
                new Class<?>[] {PluginHost.class},
                (proxy, method, arguments) -> {
                    if (broken.getAsBoolean()) {
                        throw new IllegalStateException("the host is broken");
                    }
                    try {
                        return method.invoke(host, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
