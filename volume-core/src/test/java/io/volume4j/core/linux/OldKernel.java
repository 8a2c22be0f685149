package io.volume4j.core.linux;

import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.KernelFeatures;

/** A backend that believes itself on a kernel which lacks everything that it can do without, for tests outside this package. */
public final class OldKernel {
    private OldKernel() {}

    public static LinuxMountBackend backend() {
        return LinuxMountBackend.on(Kernel.load().with(KernelFeatures.NONE), LinuxMountBackend.Options.defaults());
    }
}
