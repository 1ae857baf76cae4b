# What Cython needs for views of memory, compiled once for all kernels.
